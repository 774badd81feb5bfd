// finds: endless-loop
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked, as a GPU would not end
// The stride is halved, and the condition is that of a growing one: half of 0 is 0, which is less than 64 for ever.
#include "../planted.h"

__global__ void sum_block(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
#ifdef REPAIRED
  for (int stride = 32; stride > 0; stride /= 2) {
#else
  for (int stride = 32; stride < 64; stride /= 2) {  // <- here
#endif
    if (t < stride) values[t] += values[t + stride];  // <- here
    __syncthreads();                                  // <- here
  }
  if (t == 0) *out = values[0];
}

int main() {
  only_on_the_simulator();
  const DeviceArray<int> in(64, 64), out(1);
  sum_block<<<1, 64>>>(in, out);
  return finish(out);
}
