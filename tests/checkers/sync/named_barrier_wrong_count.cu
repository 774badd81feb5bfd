// finds: deadlock
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked, as a GPU would not end
// The named barrier counts 96 threads, and only 64 ever come.
#include "../planted.h"

#ifdef REPAIRED
constexpr int counted = 64;
#else
constexpr int counted = 96;
#endif

__global__ void exchange(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  if (t < 64) {
    values[t] = in[t];
    asm volatile("bar.sync 1, %0;" ::"n"(counted) : "memory");  // <- here
    out[t] = values[63 - t];
  }
  __syncthreads();  // <- also
}

int main() {
  only_on_the_simulator();
  const DeviceArray<int> in(64, 64), out(64);
  exchange<<<1, 96>>>(in, out);
  return finish(out);
}
