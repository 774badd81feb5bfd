// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: make both accesses atomic: that of line 21 is plain
// does not say: memory_order_acq_rel
// A block publishes a number by a relaxed store, and the number is all that is passed on. Another block reads it by a
// plain load.
#include <cuda/atomic>

#include "../planted.h"

__global__ void publish_and_read(int* number, int* out) {
  const cuda::atomic_ref<int, cuda::thread_scope_device> published(*number);
  if (blockIdx.x == 0) {
    published.store(42, cuda::memory_order_relaxed);  // <- other
  } else {
#ifdef REPAIRED
    while ((*out = published.load(cuda::memory_order_relaxed)) == 0) {
    }
#else
    *out = *number;  // <- here
#endif
  }
}

int main() {
  const DeviceArray<int> number(1), out(1);
  publish_and_read<<<2, 1>>>(number, out);
  return finish(out);
}
