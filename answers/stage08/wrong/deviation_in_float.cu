// refused: wrong-result: a mean near 10^6 in a float is off by up to 0.03, and the deviation is 0.3
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation deviation --distribution shifted
// hint: only-float-digits
// The merge is the right one. But what is left after a large mean is taken away has the mean's rounding error in it.
#include "answer/linked_answer.cuh"

template <typename T>
struct DeviationInFloat {
  struct State {
    float count;
    float mean;
    float squares;
  };
  static __device__ State identity() { return {0.0f, 0.0f, 0.0f}; }
  static __device__ State of(T number) { return {1.0f, static_cast<float>(number), 0.0f}; }
  static __device__ State combine(State a, State b) {
    const float count = a.count + b.count;
    const float weight = count > 0.0f ? b.count / count : 0.0f;
    const float distance = b.mean - a.mean;
    return {count, a.mean + distance * weight, a.squares + b.squares + distance * (a.count * weight) * distance};
  }
  static __device__ double finish(State state) { return sqrt(static_cast<double>(state.squares / state.count)); }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::deviation) {
    return launch<DeviationInFloat<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
