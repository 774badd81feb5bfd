// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: initcheck: 64 errors
// Counting starts from whatever the memory held: cudaMemset is missing before the kernel.
#include "../planted.h"

__global__ void count(const int* in, int* bins) {
  atomicAdd(&bins[in[threadIdx.x]], 1);  // <- here and other
}

int main() {
  const DeviceArray<int> in(64, 8);
#ifdef REPAIRED
  const DeviceArray<int> bins(8);
#else
  const DeviceArray<int> bins(8, Unwritten{});
#endif
  count<<<1, 64>>>(in, bins);
  return finish(bins);
}
