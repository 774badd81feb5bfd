// refused: wrong-result: the lowest finite float is no identity: -infinity is below it, and is the maximum here
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation max --distribution infinite
// hint: identity-of-extreme
// The value -FLT_MAX is nearly right, which is worse than wrong. It is not the maximum of no numbers either.
#include "answer/linked_answer.cuh"

template <typename T>
struct MaximumFromLowest : Maximum<T> {
  static __device__ T identity() { return cuda::std::numeric_limits<T>::lowest(); }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::maximum) {
    return launch<MaximumFromLowest<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
