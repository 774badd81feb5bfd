// finds: race scope=warp hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: each thread has values of its own to store here, but two of them have one element
// says: look at the index that line 23 gives to
// does not say: __syncthreads()
// Each thread has two numbers, which a function stores. The index counts threads, and not pairs.
#include "../planted.h"

__device__ void store_pair(int* to, int first, int second) {
  to[0] = first;   // <- other
  to[1] = second;  // <- here
}

__global__ void copy_pairs(const int* in, int* out) {
  const unsigned t = threadIdx.x;
#ifdef REPAIRED
  const unsigned begin = 2 * t;
#else
  const unsigned begin = t;
#endif
  // The call is the line to change.
  store_pair(out + begin, in[2 * t], in[2 * t + 1]);
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  copy_pairs<<<1, 32>>>(in, out);
  return finish(out);
}
