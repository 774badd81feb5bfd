// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: lanes 16 to 31 took another way at line
// The shuffle is left to the lanes that still have something to add, but its mask names the whole warp.
#include "../planted.h"

__global__ void sum_warp(const int* in, int* out) {
  const int t = threadIdx.x;
  int sum = in[t];
  for (int offset = 16; offset > 0; offset /= 2) {
#ifdef REPAIRED
    sum += __shfl_down_sync(0xffffffff, sum, offset);
#else
    if (t < offset) sum += __shfl_down_sync(0xffffffff, sum, offset);  // <- here
#endif
    __syncwarp();  // <- also
  }
  if (t == 0) *out = sum;
}

int main() {
  const DeviceArray<int> in(32, 32), out(1);
  sum_warp<<<1, 32>>>(in, out);
  return finish(out);
}
