// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// The second phase reads what other blocks wrote in the first. Two launches, one after the other, put them in order.
#include "../planted.h"

__global__ void rotate(int* scratch, int* out, bool first, bool second) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (first) scratch[i] = i;                        // <- other
  if (second && i >= 32) out[i] = scratch[i - 32];  // <- here
}

int main() {
  const DeviceArray<int> scratch(128), out(128);
#ifdef REPAIRED
  rotate<<<4, 32>>>(scratch, out, true, false);
  rotate<<<4, 32>>>(scratch, out, false, true);
#else
  rotate<<<4, 32>>>(scratch, out, true, true);
#endif
  return finish(out);
}
