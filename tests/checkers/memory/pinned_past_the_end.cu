// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 4 errors
// Pinned host memory, which a kernel may use, has an end as well.
#include "../planted.h"

__global__ void fill(int* out, int n) {
  const int i = threadIdx.x;
#ifdef REPAIRED
  if (i < n) out[i] = i;
#else
  if (i <= n) out[i] = i;  // <- here
#endif
}

int main() {
  int* out = nullptr;
  must(cudaMallocHost(&out, 32 * sizeof(int)));
  fill<<<1, 64>>>(out, 32);
  const int status = finish();
  cudaFreeHost(out);
  return status;
}
