// finds: race scope=grid
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: leave its own block's part of the array?
// does not say: __threadfence()
// does not say: atomicAdd()
// Each block adds up its own segment, but asks only whether the neighbour's number is below n. So the last threads
// reach into the next block's segment.
#include "../planted.h"

__global__ void add_neighbours(float* data, int n) {
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
#ifdef REPAIRED
  const bool has_neighbour = t + 1 < blockDim.x && i + 1 < n;
#else
  const bool has_neighbour = i + 1 < n;
#endif
  const float neighbour = has_neighbour ? data[i + 1] : 0.0f;  // <- other
  __syncthreads();
  data[i] += neighbour;  // <- here
}

int main() {
  const DeviceArray<float> data(256, 256);
  add_neighbours<<<4, 64>>>(data, 256);
  return finish(data);
}
