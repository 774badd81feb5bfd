// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: __threadfence()
// The block that draws the last ticket adds all partial sums. Without a fence the ticket may be seen before the sum.
#include "../planted.h"

__global__ void sum_all(const int* in, int* sums, unsigned* tickets, int* out) {
  __shared__ int sum;
  __shared__ bool last;
  const unsigned t = threadIdx.x;
  if (t == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + t]);
  __syncthreads();
  if (t == 0) {
    sums[blockIdx.x] = sum;  // <- other
#ifdef REPAIRED
    __threadfence();
#endif
    last = atomicAdd(tickets, 1u) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && t < gridDim.x) atomicAdd(out, sums[t]);  // <- here
}

int main() {
  const DeviceArray<int> in(256, 256), sums(4), out(1);
  const DeviceArray<unsigned> tickets(1);
  sum_all<<<4, 64>>>(in, sums, tickets, out);
  return finish(out);
}
