// finds: trap
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: grid.sync() in an ordinary launch
// says: launch the kernel with cudaLaunchCooperativeKernel()
// A barrier of the whole grid needs a cooperative launch.
#include <cooperative_groups.h>

#include "../planted.h"

__global__ void two_steps(int* x, int* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  x[i] = static_cast<int>(i);
  cooperative_groups::this_grid().sync();  // <- here
  y[i] = x[n - 1 - i];
}

void start(int* x, int* y) {
#ifndef REPAIRED
  two_steps<<<4, 64>>>(x, y);
#else
  void* arguments[] = {&x, &y};
  must(cudaLaunchCooperativeKernel((void*)two_steps, dim3(4), dim3(64), arguments, 0, nullptr));
#endif
}

int main() {
  const DeviceArray<int> x(256), y(256);
  start(x, y);
  return finish(y);
}
