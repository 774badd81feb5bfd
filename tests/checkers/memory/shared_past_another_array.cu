// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: is the index too large, or the array too small?
// One element behind a shared array lies the block's other shared array, so nothing crashes, and a wrong cell is read.
#include "../planted.h"

__global__ void right_neighbours(const int* in, int* out) {
  __shared__ int low[64];
  __shared__ int high[64];
  const int t = threadIdx.x;
  low[t] = in[t];
  high[t] = -in[t];
  __syncthreads();
#ifdef REPAIRED
  if (t < 63) out[t] = low[t + 1] + high[t];
#else
  out[t] = low[t + 1] + high[t];  // <- here
#endif
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  right_neighbours<<<1, 64>>>(in, out);
  return finish(out);
}
