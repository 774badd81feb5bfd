// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: are run by different threads at the same time: put __syncthreads() between them
// Only thread 0 counts, and all read its count. The compiler gives thread 0 the value in a register, so that in its
// text no thread both stores and loads. In the source the two lines follow each other.
#include "../planted.h"

__global__ void last_block(unsigned* counter, int* out) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x == 0) count = atomicAdd(counter, 1u);  // <- other
#ifdef REPAIRED
  __syncthreads();
#endif
  if (count == gridDim.x - 1) out[threadIdx.x] = 1;  // <- here
}

int main() {
  const DeviceArray<unsigned> counter(1);
  const DeviceArray<int> out(64);
  last_block<<<4, 64>>>(counter, out);
  return finish(out);
}
