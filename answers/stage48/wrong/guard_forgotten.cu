// refused: out-of-bounds: the last threads of a row load what lies behind it
// SPDX-License-Identifier: MIT
// shown by: --size 3x20
// hint: outside-global
#include "answer/right.cuh"

using namespace right;

template <typename Operation, typename Vector, unsigned kCount>
__device__ void wrong_load(float (&numbers)[kCount], const Vector* row, Part part) {
  constexpr unsigned kWidth = sizeof(Vector) / sizeof(float);
#pragma unroll
  for (unsigned k = 0; k < kCount / kWidth; ++k) {
    const Vector vector = load_once(row + place_of(part, k));
    memcpy(&numbers[k * kWidth], &vector, sizeof vector);
  }
}

#define LOAD wrong_load
#include "answer/kernel.cuh"
