// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: initcheck: 32 errors
// Nothing wrote `in`: cudaMalloc gives memory with whatever was in it.
#include "../planted.h"

__global__ void add_one(const int* in, int* out) {
  const int value = in[threadIdx.x];  // <- other
  out[threadIdx.x] = value + 1;       // <- here
}

int main() {
#ifdef REPAIRED
  const DeviceArray<int> in(32);
#else
  const DeviceArray<int> in(32, Unwritten{});
#endif
  const DeviceArray<int> out(32);
  add_one<<<1, 32>>>(in, out);
  return finish(out);
}
