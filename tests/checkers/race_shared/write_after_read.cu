// finds: race scope=block hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// Warp 1 stores a new value where warp 0 may not have read the old one yet.
#include "../planted.h"

__global__ void read_then_double(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  if (t < 32) out[t] = values[t + 32];  // <- other
#ifdef REPAIRED
  __syncthreads();
#endif
  values[t] = 2 * in[t];  // <- here
  out[t + 32] = values[t];
}

int main() {
  const DeviceArray<int> in(64, 64), out(96);
  read_then_double<<<1, 64>>>(in, out);
  return finish(out);
}
