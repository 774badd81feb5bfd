// finds: uninitialised use=address
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// also with: -G
// A thread's own stack of indices is read above its top.
#include "../planted.h"

__global__ void pick(const int* in, int* out, int count, int wanted) {
  unsigned stack[16];
  for (int i = 0; i < count; ++i) stack[in[i]] = 15 - i;
  const unsigned index = stack[wanted];  // <- other
  *out = in[index % 16];                 // <- here
}

int main() {
  const DeviceArray<int> in(16, 16), out(1);
#ifdef REPAIRED
  pick<<<1, 1>>>(in, out, 16, 12);
#else
  pick<<<1, 1>>>(in, out, 8, 12);
#endif
  return finish(out);
}
