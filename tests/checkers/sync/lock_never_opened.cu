// finds: endless-loop
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked, as a GPU would not end
// The first block takes the lock and keeps it; the others spin for ever.
#include "../planted.h"

__global__ void add_in_turn(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {  // <- here
  }
  __threadfence();
  *sum += blockIdx.x;
  __threadfence();
#ifdef REPAIRED
  atomicExch(lock, 0);
#endif
}

int main() {
  only_on_the_simulator();
  const DeviceArray<int> lock(1), sum(1);
  add_in_turn<<<4, 1>>>(lock, sum);
  return finish(sum);
}
