// finds: leak
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 1 error
// Memory from cudaMalloc is never freed.
#include "../planted.h"

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  int* out = nullptr;
  must(cudaMalloc(&out, 32 * sizeof(int)));  // <- allocated
  fill<<<1, 32>>>(out);
  const int status = finish();
#ifdef REPAIRED
  must(cudaFree(out));
#endif
  return status;
}
