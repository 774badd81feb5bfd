// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// What one kernel left in shared memory is gone when the next one starts, even if it is sometimes still there.
#include "../planted.h"

__global__ void step(const int* in, int* out, bool fill, bool use) {
  __shared__ int values[32];
  const int t = threadIdx.x;
  if (fill) values[t] = in[t];
  __syncthreads();
  if (use) {
    const int value = values[31 - t];  // <- other
    out[t] = value + 1;                // <- here
  }
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
#ifdef REPAIRED
  step<<<1, 32>>>(in, out, true, true);
#else
  step<<<1, 32>>>(in, out, true, false);
  step<<<1, 32>>>(in, out, false, true);
#endif
  return finish(out);
}
