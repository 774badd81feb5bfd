// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 6 errors
// says: the dynamic shared array 'values'
// The launch gives the block shared memory for 32 numbers, and 33 are stored.
#include "../planted.h"

__global__ void shift(const int* in, int* out) {
  extern __shared__ int values[];
  const int t = threadIdx.x;
  values[t + 1] = in[t];  // <- here
  __syncthreads();
  out[t] = values[t + 1];
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
#ifdef REPAIRED
  shift<<<1, 32, 33 * sizeof(int)>>>(in, out);
#else
  shift<<<1, 32, 32 * sizeof(int)>>>(in, out);
#endif
  return finish(out);
}
