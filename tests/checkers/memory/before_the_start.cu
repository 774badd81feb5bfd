// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 6 errors
// says: the index is -1: below 0, where `if (index < n)` lets it pass
// The left neighbour of the first element is in front of the array.
#include "../planted.h"

__global__ void differences(const int* in, int* out) {
  const int i = threadIdx.x;
#ifdef REPAIRED
  out[i] = i > 0 ? in[i] - in[i - 1] : in[i];
#else
  out[i] = in[i] - in[i - 1];  // <- here
#endif
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  differences<<<1, 64>>>(in, out);
  return finish(out);
}
