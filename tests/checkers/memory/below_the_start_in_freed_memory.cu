// finds: use-after-free
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: no argument of the kernel points into this memory
// says: so perhaps the index is -
// The index leaves the array at its begin, and comes to memory of another array that is no longer there.
#include "../planted.h"

__global__ void shift(const int* in, int* out) {
  const int i = threadIdx.x;
#ifdef REPAIRED
  out[i] = i >= 20000 ? in[i - 20000] : 0;
#else
  out[i] = in[i - 20000];  // <- here
#endif
}

int main() {
  int* before = nullptr;
  must(cudaMalloc(&before, 131072));
  const DeviceArray<int> in(128, 128), out(128);
  must(cudaFree(before));
  shift<<<1, 128>>>(in, out);
  return finish(out);
}
