// refused: wrong-result: the merge takes both sides for equally large, and not all are
// SPDX-License-Identifier: MIT
// shown by: --size 4097 --operation deviation --distribution shifted
// hint: deviation-of-states
// The counts are there and are added, but the weight does not ask them.
#include "answer/linked_answer.cuh"

template <typename T>
struct EqualCounts : Deviation<T> {
  using State = typename Deviation<T>::State;
  static __device__ State combine(State a, State b) {
    const double distance = b.mean - a.mean;
    return {a.count + b.count, a.mean + distance / 2.0, a.squares + b.squares + distance * distance * a.count / 2.0};
  }
};

template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace) {
  if (operation == workbook::Operation::deviation) {
    return launch<EqualCounts<T>>(numbers, n, block_size, workspace);
  }
  return right::statistic_on_device(operation, numbers, n, block_size, workspace);
}
