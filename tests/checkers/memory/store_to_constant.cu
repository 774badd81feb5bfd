// finds: read-only
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Constant memory is written by the host; a kernel that casts the `const` away stores to read-only memory.
#include "../planted.h"

__constant__ int table[32];
__device__ int variable[32];

__global__ void fill(bool constant) {
  const int* target = constant ? table : variable;
  const_cast<int*>(target)[threadIdx.x] = 1;  // <- here
}

__global__ void read(int* out) { out[threadIdx.x] = table[threadIdx.x] + variable[threadIdx.x]; }

int main() {
  const DeviceArray<int> out(32);
#ifdef REPAIRED
  fill<<<1, 32>>>(false);
#else
  fill<<<1, 32>>>(true);
#endif
  read<<<1, 32>>>(out);
  return finish(out);
}
