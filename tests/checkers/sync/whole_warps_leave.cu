// finds: barrier-divergence severity=warning
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: have already left the kernel at line 15
// Whole warps return before a barrier that the others still come to. A GPU waits for those that are left.
#include "../planted.h"

__global__ void sum_halves(const int* in, int* out) {
  __shared__ int values[128];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride >= 32; stride /= 2) {
#ifndef REPAIRED
    if (t >= stride) return;
    values[t] += values[t + stride];
#else
    if (t < stride) values[t] += values[t + stride];
#endif
    __syncthreads();  // <- here
  }
  if (t < 32) out[t] = values[t];
}

int main() {
  const DeviceArray<int> in(128, 128), out(32);
  sum_halves<<<1, 128>>>(in, out);
  return finish(out);
}
