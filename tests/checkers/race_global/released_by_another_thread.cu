// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: is thread 63's, and the release at line 27 is thread 0's
// says: put __syncthreads() between the two
// does not say: waits only for the threads of its own block
// All threads of a block write, and thread 0 tells the next block. It waits for its own warp only.
#include <cuda/atomic>

#include "../planted.h"

__global__ void hand_over(int* values, unsigned* flags, int* out) {
  const unsigned block = blockIdx.x, t = threadIdx.x;
  using Flag = cuda::atomic_ref<unsigned, cuda::thread_scope_device>;
  if (block != 0) {
    if (t == 0) {
      while (Flag(flags[block - 1]).load(cuda::memory_order_acquire) == 0) {
      }
    }
    __syncthreads();
    out[t] = values[64 * block - 64 + 63 - t];  // <- here
  }
  values[64 * block + t] = t;  // <- other
#ifdef REPAIRED
  __syncthreads();
#endif
  if (t == 0) Flag(flags[block]).store(1, cuda::memory_order_release);
}

int main() {
  const DeviceArray<int> values(128), out(64);
  const DeviceArray<unsigned> flags(2);
  hand_over<<<2, 64>>>(values, flags, out);
  return finish(out);
}
