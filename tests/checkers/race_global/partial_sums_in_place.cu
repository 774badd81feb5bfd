// finds: race scope=grid hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: reads what block
// says: store the results in another array
// does not say: __threadfence()
// Block b stores its sum to data[b], which block 0 may not have read yet. The repaired program has an array for the
// sums.
#include "../planted.h"

__global__ void sum_blocks(float* data, float* sums) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0.0f;
  __syncthreads();
  atomicAdd(&sum, data[blockIdx.x * blockDim.x + threadIdx.x]);  // <- other
  __syncthreads();
#ifdef REPAIRED
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
#else
  if (threadIdx.x == 0) data[blockIdx.x] = sum;  // <- here
#endif
}

int main() {
  const DeviceArray<float> data(256, 256), sums(4);
  sum_blocks<<<4, 64>>>(data, sums);
  return finish(data, sums);
}
