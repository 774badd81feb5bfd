// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: put __syncthreads() between lines
// Warp 1 reads what warp 0 has stored, and nothing makes it wait for that store.
#include "../planted.h"

__global__ void exchange(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = 0;
  __syncthreads();
  values[t] = in[t];  // <- other
#ifdef REPAIRED
  __syncthreads();
#endif
  if (t >= 32) out[t - 32] = values[t - 32];  // <- here
}

int main() {
  const DeviceArray<int> in(64, 64), out(32);
  exchange<<<1, 64>>>(in, out);
  return finish(out);
}
