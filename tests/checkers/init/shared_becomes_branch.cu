// finds: uninitialised use=branch
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// A thread that finds something raises the block's flag, but no thread lowered it first.
#include "../planted.h"

__global__ void find(const int* in, int* out, int wanted) {
  __shared__ int found;
#ifdef REPAIRED
  if (threadIdx.x == 0) found = -1;
  __syncthreads();
#endif
  if (in[threadIdx.x] == wanted) found = wanted;
  __syncthreads();
  const int value = found;                               // <- other
  if (value == wanted) atomicAdd(out, in[threadIdx.x]);  // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(1);
  find<<<1, 32>>>(in, out, 100);
  return finish(out);
}
