// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: asks for the index already, and lets it pass
// does not say: guard the access
// The guard is there. The right neighbour of the last element is behind it all the same.
#include "../planted.h"

__global__ void differences(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
  if (i + 1 >= n) return;
#else
  if (i >= n) return;
#endif
  out[i] = in[i + 1] - in[i];  // <- here
}

int main() {
  const DeviceArray<int> in(100, 100), out(100);  // <- allocated
  differences<<<2, 64>>>(in, out, 100);
  return finish(out);
}
