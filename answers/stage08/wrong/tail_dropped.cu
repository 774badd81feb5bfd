// refused: wrong-result: the numbers after the last whole vector of 16 bytes are not reduced
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --operation sum --distribution exact
// hint: tail-lost
// 16 bytes are 4 floats or ints: up to 3 numbers are lost. With 16,777,219 floats in [0, 1) it does not show: their sum
// may be off by far more for rounding alone. Numbers whose sum is exact show it.
#include "answer/linked_answer.cuh"

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  constexpr std::size_t kVector = 16 / sizeof(T);
  n = n / kVector * kVector;
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
