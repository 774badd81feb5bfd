// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// Each warp leaves its sum in shared memory, and the last warp adds them without waiting for the others.
#include "../planted.h"

__global__ void sum_block(const int* in, int* out) {
  extern __shared__ int warp_sums[];
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  if (lane == 0) warp_sums[warp] = 0;
  __syncthreads();
  int sum = in[t];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (lane == 0) warp_sums[warp] = sum;  // <- other
#ifdef REPAIRED
  __syncthreads();
#endif
  if (t == 96) {
    for (int w = 0; w < 3; ++w) sum += warp_sums[w];  // <- here
    *out = sum;
  }
}

int main() {
  const DeviceArray<int> in(128, 128), out(1);
  sum_block<<<1, 128, 4 * sizeof(int)>>>(in, out);
  return finish(out);
}
