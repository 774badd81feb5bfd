// refused: not-the-step: right, but the loop that loads is not unrolled, so that the row lies in local memory
// SPDX-License-Identifier: MIT
// hint: step-local-memory
#include "answer/right.cuh"

using namespace right;

template <typename Operation, typename Vector, unsigned kCount>
__device__ void load_in_a_loop(float (&numbers)[kCount], const Vector* row, Part part) {
  constexpr unsigned kWidth = sizeof(Vector) / sizeof(float);
#pragma unroll 1
  for (unsigned k = 0; k < kCount / kWidth; ++k) {
    for (unsigned i = 0; i < kWidth; ++i) {
      numbers[k * kWidth + i] = Operation::no_number();
    }
    if (place_of(part, k) < part.end) {
      const Vector vector = load_once(row + place_of(part, k));
      memcpy(&numbers[k * kWidth], &vector, sizeof vector);
    }
  }
}

#define LOAD load_in_a_loop
#include "answer/kernel.cuh"
