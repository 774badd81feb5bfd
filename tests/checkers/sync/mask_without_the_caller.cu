// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// All lanes call, and the mask names only the lower half: a caller must be in its own mask.
#include "../planted.h"

__global__ void sum_halves(const int* in, int* out) {
  const int t = threadIdx.x;
  int sum = in[t];
#ifdef REPAIRED
  for (int offset = 8; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
#else
  for (int offset = 8; offset > 0; offset /= 2) sum += __shfl_xor_sync(0x0000ffff, sum, offset);  // <- here
#endif
  out[t] = sum;
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  sum_halves<<<1, 32>>>(in, out);
  return finish(out);
}
