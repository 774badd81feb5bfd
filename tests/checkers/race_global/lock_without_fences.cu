// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: is this the place of a lock? The atomics that take it and give it back order no other data
// A lock of atomicCAS and atomicExch lets one block in at a time, but orders no ordinary access: both ends need a
// fence.
#include "../planted.h"

__global__ void add_in_turn(int* lock, int* sum) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
#ifdef REPAIRED
  __threadfence();
#endif
  *sum += blockIdx.x;  // <- here and other
#ifdef REPAIRED
  __threadfence();
#endif
  atomicExch(lock, 0);
}

int main() {
  const DeviceArray<int> lock(1), sum(1);
  add_in_turn<<<8, 1>>>(lock, sum);
  return finish(sum);
}
