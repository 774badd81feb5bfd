// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// `bins[...]++` is a load, an addition and a store: two blocks that do it at once count only one of the two.
#include "../planted.h"

__global__ void count(const int* in, int* bins) {
  const int value = in[blockIdx.x * blockDim.x + threadIdx.x];
#ifdef REPAIRED
  atomicAdd(&bins[value], 1);
#else
  bins[value]++;  // <- here and other
#endif
}

int main() {
  const DeviceArray<int> in(96, 32), bins(32);
  count<<<3, 32>>>(in, bins);
  return finish(bins);
}
