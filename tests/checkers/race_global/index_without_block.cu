// finds: race scope=grid
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: leave out the block?
// does not say: __threadfence()
// The index has no part of the block: all blocks work on the elements of the first one.
#include "../planted.h"

__global__ void add_one(int* data) {
#ifdef REPAIRED
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#else
  const unsigned i = threadIdx.x;
#endif
  data[i] += 1;  // <- here and other
}

int main() {
  const DeviceArray<int> data(128, 128);
  add_one<<<2, 64>>>(data);
  return finish(data);
}
