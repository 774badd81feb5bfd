// finds: endless-loop
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked, as a GPU would not end
// One block returns before the barrier of the grid, and all others wait for it.
#include <cooperative_groups.h>

#include "../planted.h"

__global__ void rotate(int* scratch, int* out, unsigned blocks) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const unsigned i = grid.thread_rank();
#ifndef REPAIRED
  if (blockIdx.x >= blocks) return;
#endif
  scratch[i] = i;
  grid.sync();  // <- here
  if (i >= 32 && blockIdx.x < blocks) out[i] = scratch[i - 32];
}

int main() {
  only_on_the_simulator();
  const DeviceArray<int> scratch(128), out(128);
  int* pointers[] = {scratch, out};
  unsigned blocks = 3;
  void* arguments[] = {&pointers[0], &pointers[1], &blocks};
  must(cudaLaunchCooperativeKernel(reinterpret_cast<void*>(rotate), dim3(4), dim3(32), arguments, 0, nullptr));
  return finish(out);
}
