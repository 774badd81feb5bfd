// refused: wrong-result: numbers that lose bits are not marked, and where they meet a zero nothing computes them again
// SPDX-License-Identifier: MIT
// shown by: --size 60x50x70 --factors wide
// hint: lost-elements
#include "answer/linked_answer.cuh"

__device__ bool is_split(float number, float scaled) { return number == 0.0f || fabsf(scaled) < 0x1p15f; }

#include "answer/launch_linked_answer.cuh"
