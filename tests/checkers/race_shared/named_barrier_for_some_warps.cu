// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// The named barrier counts two warps, and a third one reads what they stored.
#include "../planted.h"

__global__ void two_write_one_reads(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t < 64) values[t] = 0;
  __syncthreads();
  if (t < 64) values[t] = in[t];  // <- other
#ifdef REPAIRED
  asm volatile("bar.sync 1, 96;" ::: "memory");
#else
  if (t < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
#endif
  if (t >= 64) out[t - 64] = values[t - 64] + values[t - 32];  // <- here
}

int main() {
  const DeviceArray<int> in(64, 64), out(32);
  two_write_one_reads<<<1, 96>>>(in, out);
  return finish(out);
}
