// finds: use-after-free
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 34 errors
// The same with memory from the pool of a stream: cudaFreeAsync takes effect in the order of the stream.
#include "../planted.h"

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;  // <- here
}

int main() {
  cudaStream_t stream;
  must(cudaStreamCreate(&stream));
  int* out = nullptr;
  must(cudaMallocAsync(&out, 32 * sizeof(int), stream));
#ifdef REPAIRED
  fill<<<1, 32, 0, stream>>>(out);
  must(cudaFreeAsync(out, stream));
#else
  must(cudaFreeAsync(out, stream));
  fill<<<1, 32, 0, stream>>>(out);
#endif
  const int status = finish();
  cudaStreamDestroy(stream);
  return status;
}
