// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 2 errors
// says: put __threadfence_block() after it
// Warp 0 publishes its data with a fence and a flag. Warp 1 waits for the flag, and needs a fence of its own: the data
// may be loaded before the flag is.
#include "../planted.h"

__global__ void produce_and_consume(const int* in, int* out) {
  __shared__ int data;
  __shared__ volatile int flag;
  const int t = threadIdx.x;
  if (t == 0) {
    data = 0;
    flag = 0;
  }
  __syncthreads();
  if (t == 0) {
    data = in[0];  // <- other
    __threadfence_block();
    flag = 1;
  }
  if (t == 32) {
    while (flag == 0) {
    }
#ifdef REPAIRED
    __threadfence_block();
#endif
    *out = data;  // <- here
  }
}

int main() {
  const DeviceArray<int> in(1, 1), out(1);
  produce_and_consume<<<1, 64>>>(in, out);
  return finish(out);
}
