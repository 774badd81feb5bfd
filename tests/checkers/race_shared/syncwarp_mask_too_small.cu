// finds: race scope=warp hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 warning
// Only the lanes that read take part in __syncwarp: those that wrote are not in the mask, so nothing orders them.
#include "../planted.h"

__global__ void upper_to_lower(const int* in, int* out) {
  __shared__ int values[32];
  const int t = threadIdx.x;
  values[t] = in[t];  // <- other
#ifdef REPAIRED
  __syncwarp();
#else
  if (t < 16) __syncwarp(0x0000ffff);
#endif
  if (t < 16) out[t] = values[t + 16];  // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(16);
  upper_to_lower<<<1, 32>>>(in, out);
  return finish(out);
}
