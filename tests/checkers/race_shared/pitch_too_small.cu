// finds: race scope=block hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error
// says: two of them have one element: look at the index
// does not say: __syncthreads()
// A row of the tile is 32 long, and the next one begins 31 further on. So the last of a row and the first of the next
// are one element.
#include "../planted.h"

__global__ void copy_tile(const int* in, int* out) {
#ifdef REPAIRED
  constexpr unsigned pitch = 32;
#else
  constexpr unsigned pitch = 31;
#endif
  __shared__ int tile[4 * 32];
  tile[threadIdx.y * pitch + threadIdx.x] = in[threadIdx.y * 32 + threadIdx.x];  // <- here and other
  __syncthreads();
  out[threadIdx.y * 32 + threadIdx.x] = tile[threadIdx.y * pitch + threadIdx.x];
}

int main() {
  const DeviceArray<int> in(128, 128), out(128);
  copy_tile<<<1, dim3(32, 4)>>>(in, out);
  return finish(out);
}
