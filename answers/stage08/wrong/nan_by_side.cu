// refused: wrong-result: a comparison with NaN is false, so that a NaN wins on the left and loses on the right
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation min --distribution nan
// hint: nan-dropped
// Here combine(a, b) is not combine(b, a). So the result depends on the order, which the kernel chooses. (fmin() is
// commutative, but drops every NaN: then an input of nothing but NaN would have the minimum infinity.)
#include "answer/linked_answer.cuh"

template <typename T>
struct NanBySide : Minimum<T> {
  static __device__ T combine(T a, T b) { return b < a ? b : a; }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::minimum) {
    return launch<NanBySide<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
