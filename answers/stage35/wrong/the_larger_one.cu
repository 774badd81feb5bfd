// refused: wrong-result: of the two elements the larger one is taken
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-unwritten
#include "workbook/student/sort.h"

struct Wrong {};
template <class Element, int kCount>
__device__ void merge_serially(Wrong, const Element* elements, int first, int last, Element (&merged)[kCount]);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define merge_serially(...) merge_serially(Wrong(), __VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef merge_serially

template <class Element, int kCount>
__device__ void merge_serially(Wrong, const Element* elements, int first, int last, Element (&merged)[kCount]) {
  for (int i = 0; i < kCount; ++i) {
    const bool takes_a = elements[first] > elements[last];
    merged[i] = takes_a ? elements[first++] : elements[last--];
  }
}
