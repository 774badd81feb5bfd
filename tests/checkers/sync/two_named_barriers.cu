// finds: deadlock
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked, as a GPU would not end
// Warp 0 waits at barrier 1 for warp 1, and warp 1 at barrier 2 for warp 0.
#include "../planted.h"

__global__ void exchange(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t];
#ifdef REPAIRED
  asm volatile("bar.sync 1, 64;" ::: "memory");
#else
  if (t < 32) {
    asm volatile("bar.sync 1, 64;" ::: "memory");  // <- here
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");  // <- also
  }
#endif
  out[t] = values[63 - t];
}

int main() {
  only_on_the_simulator();
  const DeviceArray<int> in(64, 64), out(64);
  exchange<<<1, 64>>>(in, out);
  return finish(out);
}
