// finds: async-copy hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 warning
// says: is read that an asynchronous copy, still on its way
// A thread reads what it copies without waiting for the copy: what it gets is what was there before, or half of it.
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

__global__ void copy_and_double(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = 0;
  __pipeline_memcpy_async(&values[t], &in[t], sizeof(int));  // <- other
  __pipeline_commit();
#ifdef REPAIRED
  __pipeline_wait_prior(0);
#endif
  out[t] = 2 * values[t];  // <- here
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  copy_and_double<<<1, 64>>>(in, out);
  return finish(out);
}
