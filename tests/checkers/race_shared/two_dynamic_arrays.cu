// finds: overlapping-arrays is_store=false
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: the array 'numbers' is read where 'places' was written over it
// All extern __shared__ arrays of a kernel begin at the same address, so the second array lies over the first. The
// third one is used when the others are no longer needed, which is right.
#include "../planted.h"

__global__ void permute(int* out) {
  extern __shared__ int numbers[];
#ifdef REPAIRED
  int* const places = numbers + blockDim.x;
#else
  extern __shared__ int places[];
#endif
  const unsigned t = threadIdx.x;
  numbers[t] = 100 + static_cast<int>(t);
  places[t] = static_cast<int>(t);
  __syncthreads();
  const int number = numbers[places[t]];  // <- here
  __syncthreads();
  extern __shared__ float halves[];
  halves[t] = 0.5f * static_cast<float>(t);
  __syncthreads();
  out[t] = number + static_cast<int>(halves[63 - t]);
}

int main() {
  const DeviceArray<int> out(64);
  permute<<<1, 64, 128 * sizeof(int)>>>(out);
  return finish(out);
}
