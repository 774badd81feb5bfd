// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// Half of the warp comes to a __syncwarp() that names all 32 lanes.
#include "../planted.h"

__global__ void reverse_half(const int* in, int* out) {
  __shared__ int values[32];
  const int t = threadIdx.x;
  if (t >= 16) return;
  values[t] = in[t];
#ifdef REPAIRED
  __syncwarp(0x0000ffff);
#else
  __syncwarp();  // <- here
#endif
  out[t] = values[15 - t];
}

int main() {
  const DeviceArray<int> in(32, 32), out(16);
  reverse_half<<<1, 32>>>(in, out);
  return finish(out);
}
