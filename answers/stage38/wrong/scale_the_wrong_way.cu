// refused: wrong-result: the scales are put on a second time
// SPDX-License-Identifier: MIT
// shown by: --size 30x29x33 --factors scaled
// hint: high-parts
#include "answer/linked_answer.cuh"

__device__ float unscaled(float sum, unsigned largest_of_row, unsigned largest_of_column) {
  return ldexpf(sum, power_of(largest_of_row) + power_of(largest_of_column));
}

#include "answer/launch_linked_answer.cuh"
