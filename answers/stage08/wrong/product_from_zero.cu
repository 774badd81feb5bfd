// refused: wrong-result: the product begins with 0, and stays there
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation product --distribution exact
// hint: product-of-identity
// One lane without numbers is enough.
#include "answer/linked_answer.cuh"

template <typename T>
struct ProductFromZero : Product<T> {
  static __device__ Modular<T> identity() { return 0; }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::product) {
    return launch<ProductFromZero<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
