// refused: wrong-result: numeric_limits<float>::min() is above 0, and so above every negative number
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation max --distribution negative
// hint: identity-of-extreme
// For ints min() is the lowest, for floats it is 1.2e-38. FLT_MIN is the same trap.
#include "answer/linked_answer.cuh"

template <typename T>
struct MaximumFromMin : Maximum<T> {
  static __device__ T identity() { return cuda::std::numeric_limits<T>::min(); }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::maximum) {
    return launch<MaximumFromMin<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
