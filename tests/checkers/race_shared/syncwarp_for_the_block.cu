// finds: race scope=block hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: put __syncthreads() between lines
// says: the __syncwarp() there waits only for its own warp
// __syncwarp() stands where the whole block has to wait.
#include "../planted.h"

__global__ void reverse(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = 0;
  __syncthreads();
  values[t] = in[t];  // <- here
#ifdef REPAIRED
  __syncthreads();
#else
  __syncwarp();
#endif
  out[t] = values[63 - t];  // <- other
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  reverse<<<1, 64>>>(in, out);
  return finish(out);
}
