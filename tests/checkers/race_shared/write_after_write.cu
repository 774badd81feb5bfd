// finds: race scope=block hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// Both warps store to the same cells, each its own value: which one stays is chance. In the repaired program all store
// the same value, and the order does not matter.
#include "../planted.h"

__global__ void mark(int* out) {
  __shared__ int marks[32];
  const int t = threadIdx.x;
#ifdef REPAIRED
  marks[t % 32] = 1;
#else
  marks[t % 32] = 1 + t / 32;  // <- here and other
#endif
  __syncthreads();
  if (t < 32) out[t] = marks[t];
}

int main() {
  const DeviceArray<int> out(32);
  mark<<<1, 64>>>(out);
  return finish(out);
}
