// refused: wrong-result: doubles are added in a float, which keeps 24 of their 53 bits
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation sum --type double --distribution uniform
// hint: only-float-digits
// Right to seven digits, and so it looks right. The state's type is part of the operator.
#include "answer/linked_answer.cuh"

template <typename T>
struct FloatForDouble {
  using State = float;
  static __device__ State identity() { return 0.0f; }
  static __device__ State of(T number) { return static_cast<float>(number); }
  static __device__ State combine(State a, State b) { return a + b; }
  static __device__ double finish(State state) { return static_cast<double>(state); }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::sum) {
    return launch<FloatForDouble<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
