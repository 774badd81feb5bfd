// refused: wrong-result: the minimum begins with 0, which is less than each of these numbers
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation min --distribution shifted
// hint: identity-of-extreme
// 0 is the identity of the addition. Each operator has its own: the lanes and loops that have no number put it in.
#include "answer/linked_answer.cuh"

template <typename T>
struct MinimumFromZero : Minimum<T> {
  static __device__ T identity() { return 0; }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::minimum) {
    return launch<MinimumFromZero<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
