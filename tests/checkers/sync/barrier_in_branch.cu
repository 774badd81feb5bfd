// finds: barrier-divergence
// SPDX-License-Identifier: MIT
// compute-sanitizer: synccheck: 32 errors
// says: took another way at line
// The barrier stands inside the `if`: half of each warp never comes to it.
#include "../planted.h"

__global__ void exchange(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t % 2 == 0) {
    values[t] = in[t];
    values[t + 1] = in[t + 1];
#ifndef REPAIRED
    __syncthreads();  // <- here
#endif
  }
#ifdef REPAIRED
  __syncthreads();
#endif
  out[t] = values[63 - t];
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  exchange<<<1, 64>>>(in, out);
  return finish(out);
}
