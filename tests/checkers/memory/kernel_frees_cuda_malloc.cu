// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: free() in a kernel of what malloc() in a kernel did not return
// A kernel frees the array that the host got from cudaMalloc. The array stays, and the host frees it.
#include "../planted.h"

__global__ void use_up(int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
#ifndef REPAIRED
  if (threadIdx.x == 0) free(in);  // <- here
#endif
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  use_up<<<1, 32>>>(in, out);
  return finish(in, out);
}
