// finds: async-copy hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 warning
// says: is written that an asynchronous copy, still on its way
// The first element of a tile is replaced while the tile may still be on its way: which of the two stays is chance.
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

__global__ void copy_and_clear_first(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&values[t], &in[t], sizeof(int));  // <- other
  __pipeline_commit();
#ifdef REPAIRED
  __pipeline_wait_prior(0);
#endif
  if (t == 0) values[0] = -1;  // <- here
  __pipeline_wait_prior(0);
  __syncthreads();
  out[t] = values[63 - t];
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  copy_and_clear_first<<<1, 64>>>(in, out);
  return finish(out);
}
