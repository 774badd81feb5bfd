// finds: barrier-divergence
// SPDX-License-Identifier: MIT
// compute-sanitizer: synccheck: 32 errors
// A barrier in each arm of the `if` are two barriers: the lanes of a warp must all come to the same one.
#include "../planted.h"

__global__ void exchange(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t % 2 == 0) {
    values[t] = in[t];
#ifndef REPAIRED
    __syncthreads();  // <- here
#endif
  } else {
    values[t] = -in[t];
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
