// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// cuda::atomic_ref keeps the flag whole; only release and acquire also order the data that the flag speaks of.
#include <cuda/atomic>

#include "../planted.h"

#ifdef REPAIRED
constexpr auto kStoring = cuda::memory_order_release, kLoading = cuda::memory_order_acquire;
#else
constexpr auto kStoring = cuda::memory_order_relaxed, kLoading = cuda::memory_order_relaxed;
#endif

__global__ void produce_and_consume(int* data, int* flag, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    *data = 42;  // <- other
    ready.store(1, kStoring);
  } else {
    while (ready.load(kLoading) == 0) {
    }
    *out = *data;  // <- here
  }
}

int main() {
  const DeviceArray<int> data(1), flag(1), out(1);
  produce_and_consume<<<2, 1>>>(data, flag, out);
  return finish(out);
}
