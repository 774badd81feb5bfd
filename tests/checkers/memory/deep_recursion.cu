// finds: stack-overflow
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: cudaDeviceSetLimit(cudaLimitStackSize, bytes)
// A recursion that ends, but needs more than the stack of a thread.
#include "../planted.h"

__device__ __noinline__ int walk(const int* next, int at, int left) {
  volatile int here[64];
  for (int i = 0; i < 64; ++i) here[i] = at + i;
  if (left == 0) return here[7];
  return walk(next, next[at], left - 1) + here[at % 64];  // <- here
}

__global__ void start(const int* next, int* out) { out[threadIdx.x] = walk(next, threadIdx.x, 400); }

int main() {
  const DeviceArray<int> next(32, 32), out(32);
#ifdef REPAIRED
  must(cudaDeviceSetLimit(cudaLimitStackSize, 160 << 10));
#endif
  start<<<1, 32>>>(next, out);
  return finish(out);
}
