// finds: async-copy hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: the source of an asynchronous copy is written
// The numbers are moved to shared memory, and their place is cleared: the copy may not have read them yet.
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

__global__ void take(int* numbers, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  __pipeline_memcpy_async(&values[t], &numbers[t], sizeof(int));  // <- other
  __pipeline_commit();
#ifdef REPAIRED
  __pipeline_wait_prior(0);
#endif
  numbers[t] = 0;  // <- here
  __pipeline_wait_prior(0);
  out[t] = values[t];
}

int main() {
  const DeviceArray<int> numbers(64, 64), out(64);
  take<<<1, 64>>>(numbers, out);
  return finish(out);
}
