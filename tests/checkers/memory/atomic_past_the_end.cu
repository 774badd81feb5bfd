// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 10 errors
// A histogram with one bin too few for the largest value.
#include "../planted.h"

#ifdef REPAIRED
constexpr int kBins = 11;
#else
constexpr int kBins = 10;
#endif

__global__ void count(const int* in, int* bins) {
  atomicAdd(&bins[in[threadIdx.x]], 1);  // <- here
}

int main() {
  const DeviceArray<int> in(64, 11), bins(kBins);
  count<<<1, 64>>>(in, bins);
  return finish(bins);
}
