// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: the third argument is 0xffffffff
// The distance stands where the mask belongs.
#include "../planted.h"

__global__ void sum_warp(const int* in, int* out) {
  const int t = threadIdx.x;
  int sum = in[t];
  for (int offset = 16; offset > 0; offset /= 2) {
#ifdef REPAIRED
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
#else
    sum += __shfl_down_sync(static_cast<unsigned>(offset), sum, 0xffffffffu);  // <- here
#endif
  }
  if (t == 0) *out = sum;
}

int main() {
  const DeviceArray<int> in(32, 32), out(1);
  sum_warp<<<1, 32>>>(in, out);
  return finish(out);
}
