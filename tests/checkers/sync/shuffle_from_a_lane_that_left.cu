// finds: shuffle-source
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: took another way at line
// says: left the kernel
// Lanes behind the end of the input have returned. A mask may name them, but they have no value to give.
#include "../planted.h"

__global__ void sum_warp(const int* in, int* out, int n) {
  const int t = threadIdx.x;
#ifdef REPAIRED
  int sum = t < n ? in[t] : 0;
#else
  if (t >= n) return;
  int sum = in[t];
#endif
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);  // <- other
  if (t == 0) *out = sum;                                                                           // <- here
}

int main() {
  const DeviceArray<int> in(20, 20), out(1);
  sum_warp<<<1, 32>>>(in, out, 20);
  return finish(out);
}
