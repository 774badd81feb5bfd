// finds: race scope=block
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// A cuda::pipeline of two stages: a thread gives the stage back before it has read it, so the next copy may come first.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "../planted.h"

__global__ void sums(const int* in, int* out, int parts) {
  __shared__ int tiles[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cooperative_groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int sum = 0;
  for (int next = 0, part = 0; part < parts; ++part) {
    for (; next < parts && next < part + 2; ++next) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tiles[next % 2], in + 64 * next, sizeof tiles[0], pipeline);  // <- here
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
#ifdef REPAIRED
    sum += tiles[part % 2][63 - threadIdx.x];
    pipeline.consumer_release();
#else
    pipeline.consumer_release();
    sum += tiles[part % 2][63 - threadIdx.x];  // <- other
#endif
  }
  out[threadIdx.x] = sum;
}

int main() {
  const DeviceArray<int> in(3 * 64, 100), out(64);
  sums<<<1, 64>>>(in, out, 3);
  return finish(out);
}
