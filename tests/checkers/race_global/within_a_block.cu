// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Two warps of one block exchange numbers through global memory, with no barrier between storing and reading.
#include "../planted.h"

__global__ void exchange(int* scratch, int* out) {
  const int t = threadIdx.x;
  scratch[t] = t;  // <- other
#ifdef REPAIRED
  __syncthreads();
#endif
  if (t >= 32) out[t - 32] = scratch[t - 32];  // <- here
}

int main() {
  const DeviceArray<int> scratch(64), out(32);
  exchange<<<1, 64>>>(scratch, out);
  return finish(out);
}
