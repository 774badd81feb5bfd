// finds: race scope=warp hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: which thread should store it?
// does not say: atomicAdd()
// does not say: __syncthreads()
// Every lane stores its own number to the warp's one cell; one lane should.
#include "../planted.h"

__global__ void first_of_warp(const int* in, int* out) {
  __shared__ int firsts[2];
  const int t = threadIdx.x;
#ifdef REPAIRED
  if (t % 32 == 0)
#endif
    firsts[t / 32] = in[t];  // <- here and other
  __syncthreads();
  if (t < 2) out[t] = firsts[t];
}

int main() {
  const DeviceArray<int> in(64, 64), out(2);
  first_of_warp<<<1, 64>>>(in, out);
  return finish(out);
}
