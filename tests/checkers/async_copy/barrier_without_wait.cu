// finds: async-copy hazard=read-after-write scope=block
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: the thread that has started it must wait for it first
// A barrier of the block waits for threads, not for their asynchronous copies.
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

__global__ void reverse(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = 0;
  __pipeline_memcpy_async(&values[t], &in[t], sizeof(int));  // <- other
  __pipeline_commit();
#ifdef REPAIRED
  __pipeline_wait_prior(0);
#endif
  __syncthreads();
  out[t] = values[63 - t];  // <- here
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  reverse<<<1, 64>>>(in, out);
  return finish(out);
}
