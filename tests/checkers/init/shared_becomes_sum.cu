// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// One partial sum of each block is never written. All blocks add to one number: each atomic finds what the one before
// it left undefined, and still the shared array is to blame.
#include "../planted.h"

__global__ void add_up(const int* in, int* out, int warps) {
  __shared__ int sums[2];
  const int t = threadIdx.x;
  if (t % 32 == 0 && t / 32 < warps) sums[t / 32] = in[t];
  __syncthreads();
  if (t == 0) {
    const int sum = sums[0] + sums[1];  // <- other
    atomicAdd(out, sum);                // <- here
  }
}

int main() {
  const DeviceArray<int> in(64, 64), out(1, 1);
#ifdef REPAIRED
  add_up<<<4, 64>>>(in, out, 2);
#else
  add_up<<<4, 64>>>(in, out, 1);
#endif
  return finish(out);
}
