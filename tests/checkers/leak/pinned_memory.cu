// finds: leak
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 1 error
// Pinned host memory from cudaMallocHost is never freed.
#include "../planted.h"

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  int* out = nullptr;
  must(cudaMallocHost(&out, 32 * sizeof(int)));
  fill<<<1, 32>>>(out);
  const int status = finish();
#ifdef REPAIRED
  must(cudaFreeHost(out));
#endif
  return status;
}
