// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: free() in a kernel of an address inside a block of memory, not at its start
// The pointer that went along the memory is given to free(), too.
#include "../planted.h"

__global__ void walk(const int* in, int* out, int n) {
  int* const first = static_cast<int*>(malloc(n * sizeof(int)));
  if (first == nullptr) return;
  int* at = first;
  for (int i = 0; i + 1 < n; ++i) *at++ = in[i];
  *at = in[n - 1];
  for (int i = 0; i < n; ++i) out[i] = first[n - 1 - i];
#ifndef REPAIRED
  free(at);  // <- here
#endif
  free(first);
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  walk<<<1, 1>>>(in, out, 32);
  return finish(out);
}
