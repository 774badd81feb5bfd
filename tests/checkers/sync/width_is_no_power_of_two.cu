// finds: shuffle-argument
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: must be 1, 2, 4, 8, 16 or 32
// The width is no power of two: what such a shuffle does is undefined.
#include "../planted.h"

__global__ void sum_warp(const int* in, int* out) {
  const int t = threadIdx.x;
  int sum = in[t];
  for (int offset = 16; offset > 0; offset /= 2) {
#ifdef REPAIRED
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
#else
    sum += __shfl_down_sync(0xffffffffu, sum, offset, 31);  // <- here
#endif
  }
  if (t == 0) *out = sum;
}

int main() {
  const DeviceArray<int> in(32, 32), out(1);
  sum_warp<<<1, 32>>>(in, out);
  return finish(out);
}
