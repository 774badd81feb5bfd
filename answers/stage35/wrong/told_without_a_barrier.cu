// refused: race: a block counts its tile as written when its first thread has stored its part
// SPDX-License-Identifier: MIT
// shown by: --size 18000
// hint: race-between-blocks
#include "workbook/student/sort.h"

struct Wrong {};
__device__ void tell_of_tile(Wrong, unsigned& tiles_written);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define tell_of_tile(...) tell_of_tile(Wrong(), __VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef tell_of_tile

__device__ void tell_of_tile(Wrong, unsigned& tiles_written) {
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>(tiles_written).fetch_add(1, cuda::memory_order_release);
  }
}
