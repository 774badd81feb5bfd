// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// A vote of the warp is no barrier of the block. __syncthreads_or is both: it votes, and orders what came before it.
#include "../planted.h"

__global__ void exchange_if_any(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = 0;
  __syncthreads();
  values[t] = in[t];  // <- other
#ifdef REPAIRED
  const int any = __syncthreads_or(in[t] > 0);
#else
  const int any = __any_sync(0xffffffff, in[t] > 0);
#endif
  if (any && t >= 32) out[t - 32] = values[t - 32];  // <- here
}

int main() {
  const DeviceArray<int> in(64, 64), out(32);
  exchange_if_any<<<1, 64>>>(in, out);
  return finish(out);
}
