// refused: wrong-result: the numbers before the first multiple of 16 bytes are not added
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256 --misalign 1
// hint: head-lost
// Addresses from cudaMalloc() are multiples of 256. So a test that only ever passes whole allocations never has a head.
// The second half of an array, or a row of a matrix, has one.
#include "answer/linked_answer.cuh"

__device__ float sum_of_thread(Layout layout) {
  layout.head = 0;  // the vectors begin where they should, and no thread adds what lies before them
  return right::sum_of_thread(layout);
}

#include "answer/launch_linked_answer.cuh"
