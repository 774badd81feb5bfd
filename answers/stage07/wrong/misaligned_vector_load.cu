// refused: misaligned: float4 loads begin at the first number, whatever its address
// SPDX-License-Identifier: MIT
// shown by: --size 100003 --block-size 256 --misalign 1
// hint: misaligned-global
// The cast is a promise that the address is a multiple of 16. A GPU ends such a kernel with "misaligned address"
// and does not say where. Where n is small or the pointer fresh from cudaMalloc(), all is well.
#include "answer/linked_answer.cuh"

__device__ float sum_of_thread(Layout layout) {
  layout.head = 0;
  layout.vectors = reinterpret_cast<const float4*>(layout.numbers);
  layout.vector_count = layout.n / 4;
  layout.tail = layout.n % 4;
  return right::sum_of_thread(layout);
}

#include "answer/launch_linked_answer.cuh"
