// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// also with: -G
// A thread's own array gets its first `count` elements, and a later one is read.
#include "../planted.h"

__global__ void pick(const int* in, int* out, int count, int wanted) {
  int values[16];
  for (int i = 0; i < count; ++i) values[in[i]] = 3 * i;
  const int value = values[wanted];  // <- other
  *out = value + 1;                  // <- here
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
