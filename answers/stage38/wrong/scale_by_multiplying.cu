// refused: wrong-result: two powers of two multiplied are below the smallest float
// SPDX-License-Identifier: MIT
// shown by: --size 60x50x70 --factors extreme
// hint: scale-lost
#include "answer/linked_answer.cuh"

__device__ float unscaled(float sum, unsigned largest_of_row, unsigned largest_of_column) {
  return sum * ldexpf(1.0f, -power_of(largest_of_row) - power_of(largest_of_column));
}

#include "answer/launch_linked_answer.cuh"
