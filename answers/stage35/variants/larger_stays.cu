// SPDX-License-Identifier: MIT
// Stage 35, where the larger one of the two elements stays in a register, whichever run it belongs to: min() and max()
// find both, and one bit says which run the newer one belongs to. It takes more instructions than the answer.
#include "workbook/student/sort.h"

struct Variant {};
template <class Element, int kCount>
__device__ void merge_serially(Variant, const Element* elements, int first, int last, Element (&merged)[kCount]);

// In the answer's definition `Variant()` is the type of a function, in its calls an object: so they come to this one.
#define merge_serially(...) merge_serially(Variant(), __VA_ARGS__)
#include "../solution.cu"
#undef merge_serially

template <class Element, int kCount>
__device__ void merge_serially(Variant, const Element* elements, int first, int last, Element (&merged)[kCount]) {
  Element older = elements[first], newer = elements[last];
  bool newer_is_of_first = false;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    merged[i] = min(older, newer);
    if (i + 1 < kCount) {
      const bool takes_newer = newer < older;
      newer_is_of_first = takes_newer == newer_is_of_first;  // the run that was taken from brings the next one
      older = max(older, newer);
      newer_is_of_first ? ++first : --last;
      newer = elements[newer_is_of_first ? first : last];
    }
  }
}
