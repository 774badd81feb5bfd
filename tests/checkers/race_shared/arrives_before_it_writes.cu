// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// Warp 0 produces, warp 1 consumes. bar.arrive says that the data are there, and must come after the stores.
#include "../planted.h"

__global__ void produce_and_consume(const int* in, int* out) {
  __shared__ int values[32];
  const int t = threadIdx.x;
  if (t < 32) values[t] = 0;
  __syncthreads();
  if (t < 32) {
#ifdef REPAIRED
    values[t] = in[t];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
#else
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    values[t] = in[t];  // <- other
#endif
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t - 32] = values[t - 32];  // <- here
  }
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  produce_and_consume<<<1, 64>>>(in, out);
  return finish(out);
}
