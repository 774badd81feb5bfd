// refused: wrong-result: the numbers after the last whole vector of four are not added
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256
// diagnosis: elements 32 to 34, the last 3
// hint: tail-lost
// n / 4 vectors hold all numbers only where n is a multiple of 4. 16,777,216 is, so the size of the lessons shows
// nothing.
#include "answer/linked_answer.cuh"

__device__ float sum_of_thread(Layout layout) {
  layout.tail = 0;  // n / 4 vectors, and no thread adds what lies after them
  return right::sum_of_thread(layout);
}

#include "answer/launch_linked_answer.cuh"
