// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// __threadfence_block() orders memory for the threads of one block only: the last block's threads need __threadfence().
#include "../planted.h"

__global__ void sum_all(const int* in, int* sums, unsigned* tickets, int* out) {
  sums[blockIdx.x] = in[blockIdx.x];  // <- other
#ifdef REPAIRED
  __threadfence();
#else
  __threadfence_block();
#endif
  const bool last = atomicAdd(tickets, 1u) == gridDim.x - 1;
  if (!last) return;
  __threadfence();
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
