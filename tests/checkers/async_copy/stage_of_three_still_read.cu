// finds: race scope=block
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: goes to the element that the read at line 25 takes. Is it the same slot, between two barriers?
// A pipeline of 3 stages without a barrier behind a round's reads: the copies of a later one go where another warp
// still reads.
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

constexpr int stages = 3;

__global__ void sum_of_tiles(const int* in, int* out, int tiles) {
  __shared__ int stage[stages][64];
  const int t = threadIdx.x;
  int sum = 0;
  for (int tile = 0; tile < stages; ++tile) {
    __pipeline_memcpy_async(&stage[tile][t], &in[64 * tile + t], sizeof(int));
    __pipeline_commit();
  }
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
    __pipeline_wait_prior(stages - 1);
    __syncthreads();
    sum += stage[tile % stages][63 - t];  // <- here
#ifdef REPAIRED
    __syncthreads();
#endif
    const int next = tile + stages;
    if (next < tiles) __pipeline_memcpy_async(&stage[next % stages][t], &in[64 * next + t], sizeof(int));  // <- other
    __pipeline_commit();
  }
  out[t] = sum;
}

int main() {
  const DeviceArray<int> in(640, 64), out(64);
  sum_of_tiles<<<1, 64>>>(in, out, 10);
  return finish(out);
}
