// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// The same, where on a GPU the next allocation begins right behind the array: the store hits somebody else's data.
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
  const DeviceArray<int> first(1024), second(1024), third(1024);
  fill<<<9, 128>>>(first, 1024);
  fill<<<9, 128>>>(second, 1024);
  return finish(first, second, third);
}
