// finds: async-copy hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 4 errors
// Two stages, and the wait leaves two groups on their way: the one that is needed now is the older of them.
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

__global__ void sum_of_tiles(const int* in, int* out, int tiles) {
  __shared__ int stage[2][64];
  const int t = threadIdx.x;
  int sum = 0;
  stage[0][t] = stage[1][t] = 0;
  __pipeline_memcpy_async(&stage[0][t], &in[t], sizeof(int));  // <- other
  __pipeline_commit();
  for (int tile = 0; tile < tiles; ++tile) {
    const int next = tile + 1;
    if (next < tiles) __pipeline_memcpy_async(&stage[next % 2][t], &in[64 * next + t], sizeof(int));  // <- also
    __pipeline_commit();
#ifdef REPAIRED
    __pipeline_wait_prior(1);
#else
    __pipeline_wait_prior(2);
#endif
    __syncthreads();
    sum += stage[tile % 2][63 - t];  // <- here
    __syncthreads();
  }
  out[t] = sum;
}

int main() {
  const DeviceArray<int> in(256, 64), out(64);
  sum_of_tiles<<<1, 64>>>(in, out, 4);
  return finish(out);
}
