// finds: async-copy hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: synccheck: 64 errors; of the repaired program too: synccheck
// The copies arrive at a barrier in memory when they are done, and the threads do not ask it whether they are.
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline_primitives.h>

#include "../planted.h"

__global__ void reverse(const int* in, int* out) {
  __shared__ __mbarrier_t copied;
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t == 0) __mbarrier_init(&copied, 64);
  values[t] = 0;
  __syncthreads();
  __pipeline_memcpy_async(&values[t], &in[t], sizeof(int));  // <- other
  __pipeline_arrive_on(&copied);
  const auto state = __mbarrier_arrive(&copied);
#ifdef REPAIRED
  while (!__mbarrier_test_wait(&copied, state)) {
  }
#else
  (void)state;
  __syncthreads();
#endif
  out[t] = values[63 - t];  // <- here
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  reverse<<<1, 64>>>(in, out);
  return finish(out);
}
