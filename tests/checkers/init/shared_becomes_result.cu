// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Shared memory is not zero at the start of a block: the first cell, which no thread stores, is read.
#include "../planted.h"

__global__ void shift(const int* in, int* out) {
  __shared__ int values[33];
  const int t = threadIdx.x;
  values[t + 1] = in[t];
#ifdef REPAIRED
  if (t == 0) values[0] = 0;
#endif
  __syncthreads();
  const int value = values[t];  // <- other
  out[t] = 10 * value;          // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  shift<<<1, 32>>>(in, out);
  return finish(out);
}
