// finds: leak
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 2 errors
// Each round allocates anew, and only the last round's memory is freed.
#include "../planted.h"

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  int* out = nullptr;
  int status = 0;
  for (int round = 0; round < 3; ++round) {
#ifdef REPAIRED
    must(cudaFree(out));
#endif
    must(cudaMalloc(&out, 32 * sizeof(int)));
    fill<<<1, 32>>>(out);
    status = finish();
  }
  must(cudaFree(out));
  return status;
}
