// finds: race scope=warp hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 warning
// Lanes of one warp read what other lanes store. Since Volta they need not run in step: __syncwarp() has to order them.
#include "../planted.h"

__global__ void reverse_warp(const int* in, int* out) {
  __shared__ int values[32];
  const int t = threadIdx.x;
  values[t] = in[t];  // <- other
#ifdef REPAIRED
  __syncwarp();
#endif
  out[t] = values[31 - t];  // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  reverse_warp<<<1, 32>>>(in, out);
  return finish(out);
}
