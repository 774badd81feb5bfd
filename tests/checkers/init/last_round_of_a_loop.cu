// finds: uninitialised use=branch
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// A loop reads a tile row by row, and only its first row was written. The value of the last round decides.
#include "../planted.h"

__global__ void look_at_last(const int* in, int* out, int rows) {
  __shared__ int tile[8][32];
  for (int row = 0; row < 8; ++row) {
#ifndef REPAIRED
    if (row > 0) break;
#endif
    tile[row][threadIdx.x] = in[threadIdx.x] + row;
  }
  __syncwarp();
  int value = 0;
#pragma unroll 1
  for (int row = 0; row < rows; ++row) {
    value = tile[row][threadIdx.x];  // <- other
    asm volatile("" ::"r"(value));   // keeps the load in the loop
  }
  if (value > 0) atomicAdd(out, in[threadIdx.x]);  // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(1);
  look_at_last<<<1, 32>>>(in, out, 8);
  return finish(out);
}
