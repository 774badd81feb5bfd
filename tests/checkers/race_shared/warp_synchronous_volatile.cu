// finds: race scope=warp hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 4 warnings
// The last warp's steps of an old reduction: `volatile` keeps the accesses, but does not order the lanes.
#include "../planted.h"

__global__ void sum_warp(const int* in, int* out) {
  __shared__ int values[32];
  volatile int* cells = values;
  const int t = threadIdx.x;
  cells[t] = in[t];
  __syncwarp();
  for (int stride = 16; stride > 0; stride /= 2) {
    if (t < stride) cells[t] += cells[t + stride];  // <- here and other
#ifdef REPAIRED
    __syncwarp();
#endif
  }
  if (t == 0) *out = cells[0];
}

int main() {
  const DeviceArray<int> in(32, 32), out(1);
  sum_warp<<<1, 32>>>(in, out);
  return finish(out);
}
