// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: an address in the shared memory of a block
// says: store the values
// A kernel keeps the address of a shared array in global memory, and the next kernel reads there.
#include "../planted.h"

__global__ void first(int** kept, int* values) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x;
  values[threadIdx.x] = tile[threadIdx.x];
#ifdef REPAIRED
  if (threadIdx.x == 0) *kept = values;
#else
  if (threadIdx.x == 0) *kept = tile;
#endif
}

__global__ void second(int* const* kept, int* out) {
  out[threadIdx.x] = (*kept)[threadIdx.x];  // <- here
}

int main() {
  const DeviceArray<int*> kept(1);
  const DeviceArray<int> values(32), out(32);
  first<<<1, 32>>>(kept, values);
  second<<<1, 32>>>(kept, out);
  return finish(out);
}
