// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 771 errors
// says: or the buffer is too small (sizes are in bytes: n elements need n * 4 bytes)
// cudaMalloc counts bytes: for n floats it needs n * sizeof(float).
#include "../planted.h"

__global__ void fill(float* out) {
  out[threadIdx.x] = 1.0f;  // <- here
}

int main() {
  const int n = 1024;
  float* out = nullptr;
#ifdef REPAIRED
  must(cudaMalloc(&out, n * sizeof(float)));
#else
  must(cudaMalloc(&out, n));  // <- allocated
#endif
  fill<<<1, n>>>(out);
  const int status = finish();
  cudaFree(out);
  return status;
}
