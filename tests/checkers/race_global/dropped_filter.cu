// finds: race scope=block hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// A reduction in global memory without the question whose turn it is: a thread reads a number which its owner changes
// in the same step.
#include "../planted.h"

__global__ void reduce(float* data) {
  const int t = threadIdx.x;
  for (int stride = 1; stride < 128; stride *= 2) {
#ifdef REPAIRED
    if (t % (2 * stride) == 0) data[t] += data[t + stride];
#else
    if (t + stride < 128) data[t] += data[t + stride];  // <- here and other
#endif
    __syncthreads();
  }
}

int main() {
  const DeviceArray<float> data(128, 128);
  reduce<<<1, 128>>>(data);
  return finish(data);
}
