// finds: barrier-divergence
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// A loop over the elements of a thread: some threads go round once more than others, and the barrier is inside.
#include "../planted.h"

__global__ void copy_in_rounds(const int* in, int* out, int n) {
  __shared__ int values[64];
  const int t = threadIdx.x;
#ifdef REPAIRED
  for (int first = 0; first < n; first += 64) {
#else
  for (int first = 0; first + t < n; first += 64) {
#endif
    if (first + t < n) values[t] = in[first + t];
    __syncthreads();  // <- here
    if (first + t < n) out[first + t] = values[t];
    __syncthreads();  // <- also
  }
}

int main() {
  const DeviceArray<int> in(144, 144), out(144);
  copy_in_rounds<<<1, 64>>>(in, out, 144);
  return finish(out);
}
