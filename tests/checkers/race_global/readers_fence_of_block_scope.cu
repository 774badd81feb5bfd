// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: put __threadfence() after it, or let it acquire (memory_order_acquire)
// __threadfence_block() acquires what threads of its own block have released, and the flag is another block's.
#include <cuda/atomic>

#include "../planted.h"

__global__ void produce_and_consume(int* data, int* flag, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
  if (blockIdx.x == 0) {
    *data = 42;  // <- other
    ready.store(1, cuda::memory_order_release);
  } else {
    while (ready.load(cuda::memory_order_relaxed) == 0) {
    }
#ifdef REPAIRED
    __threadfence();
#else
    __threadfence_block();
#endif
    *out = *data;  // <- here
  }
}

int main() {
  const DeviceArray<int> data(1), flag(1), out(1);
  produce_and_consume<<<2, 1>>>(data, flag, out);
  return finish(out);
}
