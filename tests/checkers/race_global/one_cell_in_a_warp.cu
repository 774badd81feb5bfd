// finds: race scope=warp hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: which thread should store it?
// does not say: atomicAdd()
// All lanes store to one cell in the same instruction, each its own number: which one stays is not defined. In the
// repaired program they all store the same, and that is no race.
#include "../planted.h"

__global__ void any_index(int* index, int answer) {
#ifdef REPAIRED
  *index = answer;
#else
  *index = answer + threadIdx.x;  // <- here and other
#endif
}

int main() {
  const DeviceArray<int> index(1);
  any_index<<<1, 32>>>(index, 42);
  return finish(index);
}
