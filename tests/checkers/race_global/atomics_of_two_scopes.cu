// finds: race scope=grid is_atomic=true other.is_atomic=true
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// One thread of block 0 uses atomicAdd_block, all others atomicAdd: between blocks the two are not atomic to each
// other.
#include "../planted.h"

__global__ void count(int* counter) {
#ifdef REPAIRED
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd(counter, 1);
#else
  if (blockIdx.x == 0 && threadIdx.x == 0) atomicAdd_block(counter, 1);  // <- other
#endif
  if (threadIdx.x == 32) atomicAdd(counter, 1);  // <- here
}

int main() {
  const DeviceArray<int> counter(1);
  count<<<4, 64>>>(counter);
  return finish(counter);
}
