// refused: wrong-result: the sums of the small products are left out
// SPDX-License-Identifier: MIT
// shown by: --size 35x34x36 --factors identity
// hint: bits-lost
#include "answer/linked_answer.cuh"

__device__ float joined(float of_large, float /*of_small*/) { return of_large; }

#include "answer/launch_linked_answer.cuh"
