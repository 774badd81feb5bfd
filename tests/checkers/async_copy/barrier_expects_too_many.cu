// finds: deadlock
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: an mbarrier that still waits for 32 of 96 arrivals
// A cuda::barrier expects all threads of the block, and one of its warps never arrives.
#include <cuda/barrier>

#include "../planted.h"

__global__ void turn(const int* in, int* out) {
  __shared__ int tile[64];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  const int t = threadIdx.x;
#ifdef REPAIRED
  if (t == 0) init(&ready, 64);
#else
  if (t == 0) init(&ready, blockDim.x);
#endif
  __syncthreads();
  if (t >= 64) return;
  tile[t] = in[t];
  ready.arrive_and_wait();  // <- here
  out[t] = tile[63 - t];
}

int main() {
#ifndef REPAIRED
  only_on_the_simulator();
#endif
  const DeviceArray<int> in(64, 100), out(64);
  turn<<<1, 96>>>(in, out);
  return finish(out);
}
