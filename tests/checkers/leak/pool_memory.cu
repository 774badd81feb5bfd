// finds: leak
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 1 error
// Memory from a stream's pool is never given back.
#include "../planted.h"

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
  cudaStream_t stream;
  must(cudaStreamCreate(&stream));
  int* out = nullptr;
  must(cudaMallocAsync(&out, 32 * sizeof(int), stream));
  fill<<<1, 32, 0, stream>>>(out);
  const int status = finish();
#ifdef REPAIRED
  must(cudaFreeAsync(out, stream));
  must(cudaStreamSynchronize(stream));
#endif
  must(cudaStreamDestroy(stream));
  return status;
}
