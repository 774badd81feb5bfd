// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: written and released, without acquiring it
// The sum of CUDA's own guide ("Memory Fence Functions") has no fence after its ticket: there the partial sums are
// `volatile`, which no cache of a multiprocessor holds. Without that word they want an acquire.
#include "../planted.h"

#ifdef REPAIRED
using Sum = volatile int;
#else
using Sum = int;
#endif

__global__ void sum_all(const int* in, Sum* sums, unsigned* tickets, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = in[blockIdx.x];  // <- other
    __threadfence();
    last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  int sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) sum += sums[block];  // <- here
  *out = sum;
}

int main() {
  const DeviceArray<int> in(8, 8), sums(8), out(1);
  const DeviceArray<unsigned> tickets(1);
  sum_all<<<8, 64>>>(in, sums, tickets, out);
  return finish(out);
}
