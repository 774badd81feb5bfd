// finds: use-after-free
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// The memory is freed one launch too early.
#include "../planted.h"

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;  // <- here
}

int main() {
  int* out = nullptr;
  must(cudaMalloc(&out, 32 * sizeof(int)));
#ifdef REPAIRED
  fill<<<1, 32>>>(out);
  must(cudaFree(out));
#else
  must(cudaFree(out));
  fill<<<1, 32>>>(out);
#endif
  return finish();
}
