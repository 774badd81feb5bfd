// finds: race scope=block hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: end the loop's body with __syncthreads()
// does not say: __syncwarp()
// does not say: between lines
// The neighbour is read into a register, a barrier, then all write. What the next round reads must wait for that.
#include "../planted.h"

__global__ void add_above(const int* in, int* out) {
  __shared__ int values[128];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride >= 32; stride /= 2) {
    const int above = t + stride < 128 ? values[t + stride] : 0;  // <- other
    __syncthreads();
    values[t] += above;  // <- here
#ifdef REPAIRED
    __syncthreads();
#endif
  }
  out[t] = values[t];
}

int main() {
  const DeviceArray<int> in(128, 128), out(128);
  add_above<<<1, 128>>>(in, out);
  return finish(out);
}
