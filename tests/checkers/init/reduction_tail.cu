// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Threads behind the end of the input store nothing, and the tree adds their cells all the same.
#include "../planted.h"

__global__ void sum_block(const float* in, float* out, int n) {
  extern __shared__ float values[];
  const int t = threadIdx.x;
#ifdef REPAIRED
  values[t] = t < n ? in[t] : 0.0f;
#else
  if (t < n) values[t] = in[t];
#endif
  __syncthreads();
  for (int stride = 32; stride > 0; stride /= 2) {
    if (t < stride) values[t] += values[t + stride];  // <- other
    __syncthreads();
  }
  if (t == 0) *out = values[0];  // <- here
}

int main() {
  const DeviceArray<float> in(50, 50), out(1);
  sum_block<<<1, 64, 64 * sizeof(float)>>>(in, out, 50);
  return finish(out);
}
