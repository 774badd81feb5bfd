// finds: race scope=block hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: is the one value to replace the other?
// says: look at the index of both lines
// Each thread stores two values, the second one half a block further on: but the block has twice as many threads.
#include "../planted.h"

__global__ void store_twice(const int* in, int* out) {
  __shared__ int values[192];
  const int t = threadIdx.x;
#ifdef REPAIRED
  constexpr int distance = 96;
#else
  constexpr int distance = 48;
#endif
  values[t] = in[t];                 // <- here
  values[t + distance] = in[t] + 1;  // <- other
  __syncthreads();
  out[t] = values[t];
}

int main() {
  const DeviceArray<int> in(96, 96), out(96);
  store_twice<<<1, 96>>>(in, out);
  return finish(out);
}
