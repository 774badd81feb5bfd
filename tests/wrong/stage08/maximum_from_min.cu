// refused: wrong-result: numeric_limits<float>::min() is above 0, and so above every negative number
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation max --distribution negative
// hint: identity-of-extreme
// Of ints min() is the lowest, of floats it is 1.2e-38. FLT_MIN is the same trap.
#include "workbook/statistics.h"

#define statistic_on_device right_statistic_on_device  // all but what follows is the answer
#include "../../../answers/stage08/solution.cu"
#undef statistic_on_device

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
  return right_statistic_on_device(operation, numbers, n, block_size, workspace);
}

template void statistic_on_device(workbook::Operation, const float*, std::size_t, unsigned,
                                  const workbook::StatisticsWorkspace&);
template void statistic_on_device(workbook::Operation, const double*, std::size_t, unsigned,
                                  const workbook::StatisticsWorkspace&);
template void statistic_on_device(workbook::Operation, const int*, std::size_t, unsigned,
                                  const workbook::StatisticsWorkspace&);
