// finds: race scope=grid hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Blocks of 64 threads, but the segments begin 32 apart: half of each is also written by the next block.
#include "../planted.h"

#ifdef REPAIRED
constexpr int kSegment = 64;
#else
constexpr int kSegment = 32;
#endif

__global__ void fill(int* out) {
  const int block = blockIdx.x, t = threadIdx.x;
  out[block * kSegment + t] = 64 * block + t;  // <- here and other
}

int main() {
  const DeviceArray<int> out(256);
  fill<<<4, 64>>>(out);
  return finish(out);
}
