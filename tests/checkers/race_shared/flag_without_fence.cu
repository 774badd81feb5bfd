// finds: race scope=block
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 2 errors; of the repaired program too: racecheck
// Warp 0 stores data, then raises a flag that warp 1 waits for. `volatile` keeps both accesses, but only a fence puts
// the data before the flag.
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
#ifdef REPAIRED
    __threadfence_block();
#endif
    flag = 1;  // <- also
  }
  if (t == 32) {
    while (flag == 0) {  // <- also
    }
    __threadfence_block();
    *out = data;  // <- here
  }
}

int main() {
  const DeviceArray<int> in(1, 1), out(1);
  produce_and_consume<<<1, 64>>>(in, out);
  return finish(out);
}
