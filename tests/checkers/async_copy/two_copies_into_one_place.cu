// finds: async-copy hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 warning
// says: then look at the index of the slot, at this line and at the first copy
// says: that another one, still on its way, writes too
// The second tile is copied to where the first is still on its way to: which of them stays is chance.
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

__global__ void last_of_two(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&values[t], &in[t], sizeof(int));  // <- other
  __pipeline_commit();
#ifdef REPAIRED
  __pipeline_wait_prior(0);
#endif
  __pipeline_memcpy_async(&values[t], &in[64 + t], sizeof(int));  // <- here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[t] = values[t];
}

int main() {
  const DeviceArray<int> in(128, 64), out(64);
  last_of_two<<<1, 64>>>(in, out);
  return finish(out);
}
