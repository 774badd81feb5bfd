// finds: race scope=block hazard=read-after-write is_atomic=false other.is_atomic=true
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// The counter is read by an ordinary load while other threads may still add to it with atomics.
#include "../planted.h"

__global__ void count_odd(const int* in, int* out) {
  __shared__ int odd;
  const int t = threadIdx.x;
  if (t == 0) odd = 0;
  __syncthreads();
  if (t < 32) atomicAdd(&odd, in[t] % 2);  // <- other
#ifdef REPAIRED
  __syncthreads();
#endif
  if (t == 32) *out = odd;  // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(1);
  count_odd<<<1, 64>>>(in, out);
  return finish(out);
}
