// finds: race scope=warp hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 warning
// A shuffle brings the lanes together and hands over one register, but orders no access to memory.
#include "../planted.h"

__global__ void neighbours(const int* in, int* out) {
  __shared__ int values[32];
  const int t = threadIdx.x;
  values[t] = in[t];  // <- other
  const int before = __shfl_sync(0xffffffff, in[t] + 100, (t + 31) % 32);
#ifdef REPAIRED
  __syncwarp();
#endif
  out[t] = before + values[(t + 1) % 32];  // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  neighbours<<<1, 32>>>(in, out);
  return finish(out);
}
