// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 6 errors; synccheck: 32 errors
// says: each lane gives its own number as the mask
// Each lane names itself by its number; a mask has a bit for each lane.
#include "../planted.h"

__global__ void sum_warp(const int* in, int* out) {
  const int t = threadIdx.x;
  int sum = in[t];
  for (int offset = 16; offset > 0; offset /= 2) {
#ifdef REPAIRED
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
#else
    sum += __shfl_down_sync(static_cast<unsigned>(t), sum, offset);  // <- here
#endif
  }
  if (t == 0) *out = sum;
}

int main() {
  const DeviceArray<int> in(32, 32), out(1);
  sum_warp<<<1, 32>>>(in, out);
  return finish(out);
}
