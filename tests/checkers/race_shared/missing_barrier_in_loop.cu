// finds: race scope=block hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: end the loop's body with __syncthreads()
// does not say: __syncwarp()
// A tree of sums: a warp reads sums of the step before, which another warp may not have computed yet.
#include "../planted.h"

__global__ void sum_columns(const int* in, int* out) {
  __shared__ int sums[128];
  const int t = threadIdx.x;
  sums[t] = in[t];
  __syncthreads();
  for (int stride = 64; stride >= 32; stride /= 2) {
    if (t < stride) sums[t] += sums[t + stride];  // <- here and other
#ifdef REPAIRED
    __syncthreads();
#endif
  }
  if (t < 32) out[t] = sums[t];
}

int main() {
  const DeviceArray<int> in(128, 128), out(32);
  sum_columns<<<1, 128>>>(in, out);
  return finish(out);
}
