// finds: race scope=warp hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: put __syncwarp() between lines 17 and 18, where all lanes of the warp come by
// says: not __syncthreads(): the branch at line 15 keeps threads of the block away
// does not say: put __syncthreads()
// The last steps of an old reduction, in a branch that one warp takes. All its races are one mistake: one finding.
#include "../planted.h"

__global__ void sum_block(const int* in, int* out) {
  __shared__ volatile int cells[64];
  const unsigned t = threadIdx.x;
  cells[t] = in[t];
  __syncthreads();
  if (t < 32) {
#ifndef REPAIRED
    cells[t] += cells[t + 32];  // <- other
    cells[t] += cells[t + 16];  // <- here
    cells[t] += cells[t + 8];
    cells[t] += cells[t + 4];
    cells[t] += cells[t + 2];
    cells[t] += cells[t + 1];
#else
    int sum = cells[t] + cells[t + 32];
    for (unsigned distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (t == 0) cells[0] = sum;
#endif
  }
  if (t == 0) *out = cells[0];
}

int main() {
  const DeviceArray<int> in(64, 64), out(1);
  sum_block<<<1, 64>>>(in, out);
  return finish(out);
}
