// finds: null-pointer
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 34 errors
// The pointer was never given a value by cudaMalloc.
#include "../planted.h"

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;  // <- here
}

int main() {
  int* out = nullptr;
#ifdef REPAIRED
  must(cudaMalloc(&out, 32 * sizeof(int)));
#endif
  fill<<<1, 32>>>(out);
  const int status = finish();
  cudaFree(out);
  return status;
}
