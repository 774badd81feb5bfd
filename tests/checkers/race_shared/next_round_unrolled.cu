// finds: race scope=block hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: end the loop's body with __syncthreads()
// does not say: between lines
// The same in a loop that the compiler writes out: no branch leads back, and the line comes again all the same.
#include "../planted.h"

__global__ void add_above(const int* in, int* out) {
  __shared__ int values[128];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
#pragma unroll
  for (int stride = 64; stride >= 32; stride /= 2) {
    const int above = t + stride < 128 ? values[t + stride] : 0;  // <- other
    __syncthreads();
    values[t] += above;  // <- here
#ifdef REPAIRED
    __syncthreads();
#endif
  }
  __syncthreads();
  out[t] = values[t];
}

int main() {
  const DeviceArray<int> in(128, 128), out(128);
  add_above<<<1, 128>>>(in, out);
  return finish(out);
}
