// finds: step-budget
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked, as a GPU would not end
// A barrier of the whole grid made of a counter, with more blocks than the GPU holds at a time. Those that are there
// wait for those that cannot start. They count how often they look, so that nothing proves that this goes on for ever.
#include "../planted.h"

#ifdef REPAIRED
constexpr int kBlocks = 8;
#else
constexpr int kBlocks = 600;
#endif

__global__ void meet(unsigned* arrived, int* out) {
  unsigned looks = 0;
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(arrived, 1u);
    while (atomicAdd(arrived, 0u) < gridDim.x) {  // <- here
      ++looks;
    }
    __threadfence();
  }
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, looks < ~0u ? 1 : 2);
}

int main() {
  only_on_the_simulator();
  const DeviceArray<unsigned> arrived(1);
  const DeviceArray<int> out(1);
  meet<<<kBlocks, 1024>>>(arrived, out);
  return finish(out);
}
