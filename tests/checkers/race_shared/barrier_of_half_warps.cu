// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// The lower halves of two warps meet at a barrier for 32 threads. What an upper half wrote is read behind it.
#include "../planted.h"

__global__ void lower_halves_meet(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t];  // <- other
  if (t % 32 < 16) asm volatile("barrier.sync 1, 32;" ::: "memory");
#ifdef REPAIRED
  if (t < 16) out[t] = values[t + 32];
#else
  if (t < 16) out[t] = values[t + 48];  // <- here
#endif
}

int main() {
  const DeviceArray<int> in(64, 64), out(16);
  lower_halves_meet<<<1, 64>>>(in, out);
  return finish(out);
}
