// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// The left neighbour of the first cell of a shared array.
#include "../planted.h"

__global__ void left_neighbours(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
#ifdef REPAIRED
  if (t > 0) out[t] = values[t - 1];
#else
  out[t] = values[t - 1];  // <- here
#endif
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  left_neighbours<<<1, 64>>>(in, out);
  return finish(out);
}
