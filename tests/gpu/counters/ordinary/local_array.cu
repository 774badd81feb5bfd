// SPDX-License-Identifier: MIT
// An array whose index is known only when the kernel runs. cicc compiles this kernel in one of three ways, by the names
// of the functions beside it. Names of an unnamed namespace differ in each run of nvcc, so there are none.
#include "ordinary.h"

namespace ordinary {

__global__ void local_counts(const unsigned* in, unsigned* out, int n) {
  unsigned counts[32] = {};
  for (int i = 0; i < n; ++i) ++counts[in[i * 128 + threadIdx.x] & 31];
  unsigned best = 0;
  for (int i = 1; i < 32; ++i)
    if (counts[i] > counts[best]) best = i;
  out[threadIdx.x] = best;
}

void local_array() {
  const int n = pick(20, 1000);
  const unsigned* in = words(128 * n, 32);
  unsigned* out = zeros<unsigned>(128);
  launch("local counts", [=] { local_counts<<<1, 128>>>(in, out, n); });
}

}  // namespace ordinary
