// finds: async-copy hazard=read-after-write scope=block
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// Warp 0 copies for warp 1 and arrives at their barrier: that its copies are done, it has not waited for.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

__global__ void copy_for_the_next_warp(const int* in, int* out) {
  __shared__ __mbarrier_t filled;
  __shared__ int values[32];
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&filled, 64);
  if (t < 32) values[t] = 0;
  __syncthreads();
  if (t < 32) {
    __pipeline_memcpy_async(&values[t], &in[t], sizeof(int));  // <- other
    __pipeline_commit();
#ifdef REPAIRED
    __pipeline_wait_prior(0);
#endif
  }
  const auto state = __mbarrier_arrive(&filled);
  while (!__mbarrier_test_wait(&filled, state)) {
  }
  if (t >= 32) out[t - 32] = values[63 - t];  // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  copy_for_the_next_warp<<<1, 64>>>(in, out);
  return finish(out);
}
