// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: does not wait for both threads
// does not say: put __syncthreads()
// The named barrier counts 32 threads: each warp passes alone, and waits for nobody.
#include "../planted.h"

#ifdef REPAIRED
constexpr int counted = 64;
#else
constexpr int counted = 32;
#endif

__global__ void exchange(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = 0;
  __syncthreads();
  values[t] = in[t];  // <- other
  asm volatile("bar.sync 1, %0;" ::"n"(counted) : "memory");
  if (t >= 32) out[t - 32] = values[t - 32];  // <- here
}

int main() {
  const DeviceArray<int> in(64, 64), out(32);
  exchange<<<1, 64>>>(in, out);
  return finish(out);
}
