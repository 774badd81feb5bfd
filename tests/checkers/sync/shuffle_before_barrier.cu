// finds: barrier-divergence
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: did not end; racecheck: did not end; synccheck: did not end; initcheck: did not end
// says: took another way at line
// says: Take whichever of the two stands in a branch out of it
// does not say: move __syncthreads() out of the branch
// Half of the warp adds what the other half has, by a shuffle that names all lanes. The others are at the barrier
// behind it.
#include "../planted.h"

__global__ void add_halves(const int* in, int* out) {
  __shared__ int sums[16];
  const int t = threadIdx.x;
  int sum = in[t];
#ifdef REPAIRED
  sum += __shfl_down_sync(0xffffffff, sum, 16);
#else
  if (t < 16) sum += __shfl_down_sync(0xffffffff, sum, 16);
#endif
  if (t < 16) sums[t] = sum;
  __syncthreads();  // <- here
  out[t] = sums[t % 16];
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  add_halves<<<1, 32>>>(in, out);
  return finish(out);
}
