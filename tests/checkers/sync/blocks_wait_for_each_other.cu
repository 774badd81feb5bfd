// finds: endless-loop
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked, as a GPU would not end
// says: are changed at line 16: is that the same element, for the thread that comes there?
// Each block first waits for the other's flag and then raises its own: neither ever does.
#include "../planted.h"

__global__ void meet(volatile int* flags, int* out) {
  const int b = blockIdx.x;
#ifdef REPAIRED
  flags[b] = 1;
#endif
  while (flags[1 - b] == 0) {  // <- here
  }
#ifndef REPAIRED
  flags[b] = 1;
#endif
  out[b] = 1;
}

int main() {
  only_on_the_simulator();
  const DeviceArray<int> flags(2), out(2);
  meet<<<2, 1>>>(flags, out);
  return finish(out);
}
