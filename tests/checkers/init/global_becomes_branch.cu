// finds: uninitialised use=branch
// SPDX-License-Identifier: MIT
// compute-sanitizer: initcheck: 32 errors
// A flag that nobody lowered decides what the kernel does.
#include "../planted.h"

__global__ void step(const int* stop, int* out) {
  const int value = stop[0];  // <- other
  if (value == 0) {           // <- here
    for (int i = 0; i < 10; ++i) atomicAdd(&out[i], i);
  }
}

int main() {
#ifdef REPAIRED
  const DeviceArray<int> stop(1);
#else
  const DeviceArray<int> stop(1, Unwritten{});
#endif
  const DeviceArray<int> out(10);
  step<<<1, 32>>>(stop, out);
  return finish(out);
}
