// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 3 errors
// One barrier a segment is enough with two buffers that take turns. Here the turn is forgotten, and one buffer does
// all the work.
#include "../planted.h"

__global__ void reverse_segments(const int* in, int* out, int segments) {
  __shared__ int values[2][64];
  const int t = threadIdx.x;
  for (int segment = 0; segment < segments; ++segment) {
#ifdef REPAIRED
    int* buffer = values[segment % 2];
#else
    int* buffer = values[0];
#endif
    buffer[t] = in[64 * segment + t];  // <- other
    __syncthreads();
    out[64 * segment + t] = buffer[63 - t];  // <- here
  }
}

int main() {
  const DeviceArray<int> in(256, 256), out(256);
  reverse_segments<<<1, 64>>>(in, out, 4);
  return finish(out);
}
