// finds: use-after-free
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: free() in a kernel of memory that was freed before
// Both threads free the block of memory that one of them has allocated.
#include "../planted.h"

__global__ void share_a_block(const int* in, int* out) {
  __shared__ int* block;
  const int t = threadIdx.x;
  if (t == 0) block = static_cast<int*>(malloc(2 * sizeof(int)));
  __syncthreads();
  if (block != nullptr) {
    block[t] = in[t];
    out[t] = block[t];
  }
  __syncthreads();
#ifdef REPAIRED
  if (t == 0) free(block);
#else
  free(block);  // <- here
#endif
}

int main() {
  const DeviceArray<int> in(2, 2), out(2);
  share_a_block<<<1, 2>>>(in, out);
  return finish(out);
}
