// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// The two accesses are in functions that the kernel calls: the lines to name are theirs, not the kernel's.
#include "../planted.h"

__device__ void put(int* values, int t, int value) {
  values[t] = value;  // <- other
}

__device__ __noinline__ int take(const int* values, int t) {
  return values[t];  // <- here
}

__global__ void exchange(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = 0;
  __syncthreads();
  put(values, t, in[t]);
#ifdef REPAIRED
  __syncthreads();
#endif
  if (t >= 32) out[t - 32] = take(values, t - 32);
}

int main() {
  const DeviceArray<int> in(64, 64), out(32);
  exchange<<<1, 64>>>(in, out);
  return finish(out);
}
