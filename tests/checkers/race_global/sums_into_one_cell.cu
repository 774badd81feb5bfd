// finds: race scope=grid
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: use atomicAdd()
// says: which block should store it?
// does not say: __threadfence()
// The first thread of each block adds its number to one cell: a load, an addition and a store.
#include "../planted.h"

__global__ void sum_firsts(const int* in, int* sum) {
  if (threadIdx.x != 0) return;
#ifdef REPAIRED
  atomicAdd(sum, in[blockIdx.x * blockDim.x]);
#else
  *sum += in[blockIdx.x * blockDim.x];  // <- here and other
#endif
}

int main() {
  const DeviceArray<int> in(128, 128), sum(1);
  cudaMemset(sum, 0, sizeof(int));
  sum_firsts<<<2, 64>>>(in, sum);
  return finish(sum);
}
