// finds: race scope=grid is_atomic=true other.is_atomic=true
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// atomicAdd_block is atomic for the threads of one block; here two blocks add to one counter.
#include "../planted.h"

__global__ void count(int* counter) {
#ifdef REPAIRED
  atomicAdd(counter, 1);
#else
  atomicAdd_block(counter, 1);  // <- here and other
#endif
}

int main() {
  const DeviceArray<int> counter(1);
  count<<<4, 64>>>(counter);
  return finish(counter);
}
