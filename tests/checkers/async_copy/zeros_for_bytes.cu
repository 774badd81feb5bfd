// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: how many of its bytes become zeros and are not read
// does not say: guard the access
// The last argument of the copy is taken for the bytes to copy. So it copies what does not exist, and nothing else.
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

__global__ void copy(const int* in, int* out, int n) {
  __shared__ int values[64];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
  const std::size_t zeros = i < n ? 0 : sizeof(int);
#else
  const std::size_t zeros = i < n ? sizeof(int) : 0;
#endif
  __pipeline_memcpy_async(&values[threadIdx.x], &in[i], sizeof(int), zeros);  // <- here
  __pipeline_commit();
  __pipeline_wait_prior(0);
  if (i < n) out[i] = values[threadIdx.x];
}

int main() {
  const DeviceArray<int> in(100, 100), out(100);  // <- allocated
  copy<<<2, 64>>>(in, out, 100);
  return finish(out);
}
