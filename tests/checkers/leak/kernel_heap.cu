// finds: leak
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 1 error
// Memory from malloc in a kernel outlives the kernel, and nobody frees it.
#include "../planted.h"

__global__ void fill(int* out) {
  int* copy = static_cast<int*>(malloc(sizeof(int)));
  if (copy == nullptr) return;
  *copy = 1;
  *out = *copy;
#ifdef REPAIRED
  free(copy);
#endif
}

int main() {
  const DeviceArray<int> out(1);
  fill<<<1, 1>>>(out);
  return finish(out);
}
