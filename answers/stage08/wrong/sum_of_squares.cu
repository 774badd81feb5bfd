// refused: wrong-result: the sum of squares minus the square of the sum: two large numbers, nearly equal
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation deviation --distribution shifted
// hint: deviation-of-states
// The formula of the school book. On numbers around 0 it is right. With a mean of 10^6 and a deviation of 0.3 the two
// terms agree in their first 12 digits. Only the others are left.
#include "answer/linked_answer.cuh"

template <typename T>
struct SumOfSquares {
  struct State {
    double count;
    double sum;
    double squares;
  };
  static __device__ State identity() { return {0.0, 0.0, 0.0}; }
  static __device__ State of(T number) {
    const double x = static_cast<double>(number);
    return {1.0, x, x * x};
  }
  static __device__ State combine(State a, State b) {
    return {a.count + b.count, a.sum + b.sum, a.squares + b.squares};
  }
  static __device__ double finish(State state) {
    const double mean = state.sum / state.count;
    const double variance = state.squares / state.count - mean * mean;
    return variance < 0.0 ? 0.0 : sqrt(variance);
  }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::deviation) {
    return launch<SumOfSquares<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
