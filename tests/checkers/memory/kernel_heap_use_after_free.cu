// finds: use-after-free
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: 6 errors
// Memory from malloc in a kernel is read after free.
#include "../planted.h"

__global__ void reverse(const int* in, int* out, int n) {
  int* copy = static_cast<int*>(malloc(n * sizeof(int)));
  if (copy == nullptr) return;
  for (int i = 0; i < n; ++i) copy[i] = in[i];
#ifndef REPAIRED
  free(copy);
#endif
  for (int i = 0; i < n; ++i) out[i] = copy[n - 1 - i];  // <- here
#ifdef REPAIRED
  free(copy);
#endif
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  reverse<<<1, 1>>>(in, out, 32);
  return finish(out);
}
