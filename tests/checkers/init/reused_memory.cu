// finds: uninitialised use=result
// SPDX-License-Identifier: MIT
// compute-sanitizer: initcheck: 32 errors
// New memory may lie where freed memory was, with the old numbers in it: they are not the new array's.
#include "../planted.h"

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

__global__ void add_one(const int* in, int* out) {
  const int value = in[threadIdx.x];  // <- other
  out[threadIdx.x] = value + 1;       // <- here
}

int main() {
  const DeviceArray<int> out(32);
  {
    const DeviceArray<int> first(32, Unwritten{});
    fill<<<1, 32>>>(first);
    must(cudaDeviceSynchronize());
  }
  const DeviceArray<int> second(32, Unwritten{});
#ifdef REPAIRED
  fill<<<1, 32>>>(second);
#endif
  add_one<<<1, 32>>>(second, out);
  return finish(out);
}
