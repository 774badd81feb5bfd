// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: written and released, without acquiring it
// says: a release orders what comes before it, and nothing that comes after
// says: memory_order_acq_rel
// A block that draws the ticket releases its own partial sum. The last one also reads those of the others: these it
// must acquire.
#include <cuda/atomic>

#include "../planted.h"

#ifdef REPAIRED
constexpr auto kOrder = cuda::memory_order_acq_rel;
#else
constexpr auto kOrder = cuda::memory_order_release;
#endif

__global__ void sum_all(const int* in, int* sums, unsigned* tickets, int* out) {
  sums[blockIdx.x] = in[blockIdx.x];  // <- other
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> ticket(*tickets);
  if (ticket.fetch_add(1, kOrder) != gridDim.x - 1) return;
  int sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) sum += sums[block];  // <- here
  *out = sum;
}

int main() {
  const DeviceArray<int> in(8, 8), sums(8), out(1);
  const DeviceArray<unsigned> tickets(1);
  sum_all<<<8, 1>>>(in, sums, tickets, out);
  return finish(out);
}
