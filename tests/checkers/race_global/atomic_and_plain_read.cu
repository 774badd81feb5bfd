// finds: race scope=grid hazard=read-after-write is_atomic=false other.is_atomic=true
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// One block looks at the sum with an ordinary load while others add to it: an atomic that adds 0 reads it soundly.
#include "../planted.h"

__global__ void sum_up_to_limit(const int* in, int* sum, int* full) {
  if (blockIdx.x < 3) {
    atomicAdd(sum, in[blockIdx.x]);  // <- other
    return;
  }
#ifdef REPAIRED
  if (atomicAdd(sum, 0) >= 0) *full = 1;
#else
  if (*sum >= 0) *full = 1;  // <- here
#endif
}

int main() {
  const DeviceArray<int> in(3, 3), sum(1), full(1);
  sum_up_to_limit<<<4, 1>>>(in, sum, full);
  return finish(sum, full);
}
