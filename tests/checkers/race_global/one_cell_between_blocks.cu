// finds: race scope=grid hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: which block should store it?
// does not say: __threadfence()
// The first thread of each block stores to the same cell: the block that comes last wins.
#include "../planted.h"

__global__ void which_block(int* winner) {
#ifdef REPAIRED
  if (threadIdx.x == 0) winner[blockIdx.x] = blockIdx.x;
#else
  if (threadIdx.x == 0) winner[0] = blockIdx.x;  // <- here and other
#endif
}

int main() {
  const DeviceArray<int> winner(4);
  which_block<<<4, 32>>>(winner);
  return finish(winner);
}
