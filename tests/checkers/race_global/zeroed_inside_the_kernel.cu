// finds: race scope=grid is_atomic=true other.is_atomic=false
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Block 0 sets the sum to zero while other blocks may already add to it. The repaired program does it before the
// kernel.
#include "../planted.h"

__global__ void sum_all(const int* in, int* sum) {
#ifndef REPAIRED
  if (blockIdx.x == 0 && threadIdx.x == 0) *sum = 0;  // <- other
  __syncthreads();
#endif
  atomicAdd(sum, in[blockIdx.x * blockDim.x + threadIdx.x]);  // <- here
}

int main() {
  const DeviceArray<int> in(256, 256), sum(1);
  must(cudaMemset(sum, 0, sizeof(int)));
  sum_all<<<4, 64>>>(in, sum);
  return finish(sum);
}
