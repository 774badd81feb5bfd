// refused: wrong-result: the mean of two means forgets how many numbers each is the mean of
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --operation mean --distribution uniform
// hint: mean-of-means
// (a + b) / 2 is commutative, but not associative, and has no identity: ((a, b), c) gives c as much as a and b
// together.
#include "answer/linked_answer.cuh"

template <typename T>
struct MeanOfMeans {
  using State = double;
  static __device__ State identity() { return 0.0; }
  static __device__ State of(T number) { return static_cast<double>(number); }
  static __device__ State combine(State a, State b) { return (a + b) / 2.0; }
  static __device__ double finish(State state) { return state; }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::mean) {
    return launch<MeanOfMeans<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
