// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: a read by the read-only cache (ld.global.nc, as of __ldg()) of what this launch has written
// The ticket orders the sums before the last block's reads. But __ldg() goes by a cache that takes for granted that
// nobody writes (PTX ISA, "ld.global.nc"), and the order does not reach it.
#include "../planted.h"

#ifdef REPAIRED
__device__ int read(const int* place) { return *place; }
#else
__device__ int read(const int* place) { return __ldg(place); }  // <- here
#endif

__global__ void sum_all(const int* in, int* sums, unsigned* tickets, int* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = in[blockIdx.x];  // <- other
    __threadfence();
    last = atomicInc(tickets, gridDim.x) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  int sum = 0;
  for (unsigned block = 0; block < gridDim.x; ++block) sum += read(sums + block);
  *out = sum;
}

int main() {
  const DeviceArray<int> in(8, 8), sums(8), out(1);
  const DeviceArray<unsigned> tickets(1);
  sum_all<<<8, 64>>>(in, sums, tickets, out);
  return finish(out);
}
