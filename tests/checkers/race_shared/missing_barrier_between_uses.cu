// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 3 errors
// does not say: __syncwarp()
// The array is used once for each segment, and a fast warp stores the next segment while a slow one still reads this.
#include "../planted.h"

__global__ void reverse_segments(const int* in, int* out, int segments) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  for (int segment = 0; segment < segments; ++segment) {
    values[t] = in[64 * segment + t];  // <- other
    __syncthreads();
    out[64 * segment + t] = values[63 - t];  // <- here
#ifdef REPAIRED
    __syncthreads();
#endif
  }
}

int main() {
  const DeviceArray<int> in(256, 256), out(256);
  reverse_segments<<<1, 64>>>(in, out, 4);
  return finish(out);
}
