// finds: race scope=warp hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Lanes of one warp exchange numbers through global memory: without __syncwarp() nothing orders them.
#include "../planted.h"

__global__ void reverse(int* scratch, int* out) {
  const int t = threadIdx.x;
  scratch[t] = t;  // <- other
#ifdef REPAIRED
  __syncwarp();
#endif
  out[t] = scratch[31 - t];  // <- here
}

int main() {
  const DeviceArray<int> scratch(32), out(32);
  reverse<<<1, 32>>>(scratch, out);
  return finish(out);
}
