// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: leave its own block's part of the array?
// does not say: __threadfence()
// A stencil in place. Within the block a barrier parts reading from writing, but the cell left of the block's first one
// belongs to the block before. The repaired program writes to a second array.
#include "../planted.h"

__global__ void smooth(float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float left = i > 0 ? in[i - 1] : 0.0f;  // <- here
  const float mean = 0.5f * (left + in[i]);
  __syncthreads();
#ifdef REPAIRED
  out[i] = mean;
#else
  in[i] = mean;  // <- other
#endif
}

int main() {
  const DeviceArray<float> in(256, 256), out(256);
  smooth<<<4, 64>>>(in, out);
  return finish(in, out);
}
