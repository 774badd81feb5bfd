// refused: wrong-result: squares from two different means are added as if they were from one
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --operation deviation --distribution uniform
// hint: deviation-of-states
// Two groups may each be close to their own means, and far from each other. Chan's third term is that distance.
#include "answer/linked_answer.cuh"

template <typename T>
struct DistanceForgotten : Deviation<T> {
  using State = typename Deviation<T>::State;
  static __device__ State combine(State a, State b) {
    State both = Deviation<T>::combine(a, b);
    both.squares = a.squares + b.squares;
    return both;
  }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::deviation) {
    return launch<DistanceForgotten<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
