// finds: race scope=grid hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: __syncthreads() waits only for the threads of its own block
// __syncthreads() is a barrier of one block. A cooperative launch has one of the whole grid: grid.sync().
#include <cooperative_groups.h>

#include "../planted.h"

__global__ void rotate(int* scratch, int* out) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const unsigned i = grid.thread_rank(), n = grid.num_threads();
  scratch[i] = i;  // <- other
#ifdef REPAIRED
  grid.sync();
#else
  __syncthreads();
#endif
  if (i >= 32) out[i] = scratch[i - 32];  // <- here
  if (i < 32) out[i] = n;
}

int main() {
  const DeviceArray<int> scratch(128), out(128);
  int* pointers[] = {scratch, out};
  void* arguments[] = {&pointers[0], &pointers[1]};
  must(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rotate), dim3(4), dim3(32), arguments, 0, nullptr));
  return finish(out);
}
