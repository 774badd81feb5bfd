// finds: out-of-bounds
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: the host's stand-in for the variable
// says: cudaGetSymbolAddress
// The host passes a __device__ array by its name, which is another address on the host.
#include "../planted.h"

__device__ int table[32];

__global__ void fill(int* out) {
  out[threadIdx.x] = 1;  // <- here
}

int main() {
#ifdef REPAIRED
  void* address = nullptr;
  must(cudaGetSymbolAddress(&address, table));
  fill<<<1, 32>>>(static_cast<int*>(address));
#else
  fill<<<1, 32>>>(table);
#endif
  return finish();
}
