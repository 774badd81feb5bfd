// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 2 errors
// Two arrays of the module lie side by side; the first is left by one element.
#include "../planted.h"

__device__ int totals[32];
__device__ int limits[32];

__global__ void add(int n) {
  const int i = threadIdx.x;
#ifdef REPAIRED
  if (i < n) totals[i] += 1 + limits[i];
#else
  if (i <= n) totals[i] += 1 + limits[i % 32];  // <- here
#endif
}

int main() {
  add<<<1, 64>>>(32);
  return finish();
}
