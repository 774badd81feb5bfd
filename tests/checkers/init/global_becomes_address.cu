// finds: uninitialised use=address
// SPDX-License-Identifier: MIT
// compute-sanitizer: initcheck: 32 errors
// A table of indices that nobody filled. (The rest of a division keeps the access in bounds, so nothing else shows.)
#include "../planted.h"

__global__ void gather(const int* in, const unsigned* indices, int* out) {
  const unsigned index = indices[threadIdx.x];  // <- other
  out[threadIdx.x] = in[index % 32];            // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
#ifdef REPAIRED
  const DeviceArray<unsigned> indices(32, 32);
#else
  const DeviceArray<unsigned> indices(32, Unwritten{});
#endif
  gather<<<1, 32>>>(in, indices, out);
  return finish(out);
}
