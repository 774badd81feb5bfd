// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// A scan in one pass: each block waits for the flag of the block before and takes its running sum. The flag must not be
// raised before the sum is there and a fence has passed.
#include "../planted.h"

__global__ void running_sums(const int* in, int* sums, volatile int* flags) {
  const int b = blockIdx.x;
  int before = 0;
  if (b > 0) {
    while (flags[b - 1] == 0) {
    }
    __threadfence();
    before = sums[b - 1];  // <- here
  }
#ifdef REPAIRED
  sums[b] = before + in[b];
  __threadfence();
  flags[b] = 1;
#else
  flags[b] = 1;
  __threadfence();
  sums[b] = before + in[b];  // <- other
#endif
}

int main() {
  const DeviceArray<int> in(8, 8), sums(8), flags(8);
  running_sums<<<8, 1>>>(in, sums, flags);
  return finish(sums);
}
