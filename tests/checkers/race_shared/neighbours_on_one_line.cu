// finds: race scope=block hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 3 errors
// says: read into a register first, then __syncthreads(), then write
// does not say: end the loop's body
// does not say: atomicAdd()
// Each thread adds its neighbour's value to its own on one line, in a loop whose rounds a barrier parts. Within a round
// one thread reads what the other writes.
#include "../planted.h"

__global__ void shift_and_add(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
#ifdef REPAIRED
    const int neighbour = t + 1 < 64 ? values[t + 1] : 0;
    __syncthreads();
    values[t] += neighbour;
#else
    if (t + 1 < 64) values[t] += values[t + 1];  // <- here and other
#endif
    __syncthreads();
  }
  out[t] = values[t];
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  shift_and_add<<<1, 64>>>(in, out);
  return finish(out);
}
