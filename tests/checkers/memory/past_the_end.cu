// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 4 errors
// says: the branch at line 14 asks for the index already, and lets it pass: is it `<=` for `<`?
// does not say: too small
// `<=` for `<`: the thread after the last one stores one element behind the array.
#include "../planted.h"

__global__ void fill(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef REPAIRED
  if (i < n) out[i] = i;
#else
  if (i <= n) out[i] = i;  // <- here
#endif
}

int main() {
  const DeviceArray<int> out(100);  // <- allocated
  fill<<<2, 64>>>(out, 100);
  return finish(out);
}
