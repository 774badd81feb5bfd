// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: written and released, without acquiring it
// says: does line 23 tell that the other is done, by a flag, a ticket or a lock?
// says: an atomic function orders nothing around it: put __threadfence() after it
// The fence before the ticket releases the partial sum. The block that draws the last ticket has a half of its own to
// do: without a fence after the ticket it may read sums that were loaded before it. A barrier hands that on to the
// threads of the block, but is no fence for other blocks.
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
    __threadfence();
    last = atomicAdd(tickets, 1u) == gridDim.x - 1;
  }
  __syncthreads();
#ifdef REPAIRED
  __threadfence();
#endif
  if (last && t < gridDim.x) atomicAdd(out, sums[t]);  // <- here
}

int main() {
  const DeviceArray<int> in(256, 256), sums(4), out(1);
  const DeviceArray<unsigned> tickets(1);
  sum_all<<<4, 64>>>(in, sums, tickets, out);
  return finish(out);
}
