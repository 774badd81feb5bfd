// refused: wrong-result: the partner on the diagonal is one place too far behind
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-lost
#include "workbook/student/sort.h"

struct Wrong {};
struct TwoRuns;
template <class Element>
__device__ int find_cut(Wrong, const Element* elements, TwoRuns runs, int of_first, int diagonal);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define find_cut(...) find_cut(Wrong(), __VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef find_cut

template <class Element>
__device__ int find_cut(Wrong, const Element* elements, TwoRuns runs, int of_first, int diagonal) {
  const int of_second = runs.last + 1 - runs.begin - of_first;
  int from = max(0, diagonal - of_second), to = min(of_first, diagonal);
  while (from < to) {
    const int middle = (from + to) / 2;
    if (elements[runs.begin + middle] < elements[runs.last - (diagonal - middle)]) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}
