// finds: race scope=grid
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// The largest of all numbers by compare-and-swap. A thread that finds a larger one with a plain read goes away, and
// that may be no value that ever was there. The repaired program's plain read, as in CUDA's guide, only guesses what
// the swap will find.
#include "../planted.h"

__global__ void largest(const int* in, int* out) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef REPAIRED
  int old = *out, assumed;
  do {
    assumed = old;
    old = atomicCAS(out, assumed, max(assumed, value));
  } while (assumed != old);
#else
  int old = *out;  // <- here
  while (old < value) {
    const int assumed = old;
    old = atomicCAS(out, assumed, value);  // <- other
    if (old == assumed) break;
  }
#endif
}

int main() {
  const DeviceArray<int> in(256, 256), out(1);
  largest<<<4, 64>>>(in, out);
  return finish(out);
}
