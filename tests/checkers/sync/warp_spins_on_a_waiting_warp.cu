// finds: endless-loop
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked, as a GPU would not end
// Warp 1 spins on a flag that warp 0 raises only behind the barrier, at which it waits for warp 1.
#include "../planted.h"

__global__ void wait_in_a_circle(int* out) {
  __shared__ volatile int flag;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
#ifdef REPAIRED
  if (t == 0) flag = 1;
  __syncthreads();
#endif
  if (t == 32) {
    while (flag == 0) {  // <- here
    }
  }
#ifndef REPAIRED
  __syncthreads();
  if (t == 0) flag = 1;
#endif
  out[t] = 1;
}

int main() {
  only_on_the_simulator();
  const DeviceArray<int> out(64);
  wait_in_a_circle<<<1, 64>>>(out);
  return finish(out);
}
