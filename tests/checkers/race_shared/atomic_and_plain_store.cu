// finds: race scope=block is_atomic=true other.is_atomic=false
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// The bins get their start values by ordinary stores while other threads may already count with atomics.
#include "../planted.h"

__global__ void count_from_start_values(const int* in, int* out) {
  __shared__ int bins[32];
  const int t = threadIdx.x;
  if (t < 32) bins[t] = 0;
  __syncthreads();
  if (t < 32) bins[t] = in[t];  // <- other
#ifdef REPAIRED
  __syncthreads();
#endif
  if (t >= 32) atomicAdd(&bins[t - 32], 1);  // <- here
  __syncthreads();
  if (t < 32) out[t] = bins[t];
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  count_from_start_values<<<1, 64>>>(in, out);
  return finish(out);
}
