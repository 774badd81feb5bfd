// finds: step-budget
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// All blocks wait for the last one, which starts only when one of them ends: more blocks than the GPU holds at a time.
#include "../planted.h"

#ifdef REPAIRED
constexpr int kBlocks = 32;
#else
constexpr int kBlocks = 600;
#endif

__global__ void wait_for_last(volatile int* flag, int* out) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == gridDim.x - 1) *flag = 1;
    while (*flag == 0) {  // <- here
    }
    atomicAdd(out, 1);
  }
}

int main() {
  only_on_the_simulator();
  const DeviceArray<int> flag(1), out(1);
  wait_for_last<<<kBlocks, 1024>>>(flag, out);
  return finish(out);
}
