// finds: barrier-divergence
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: have already left the kernel at line
// Threads behind the end of the input return, and the others wait for the whole block.
#include "../planted.h"

__global__ void exchange(const int* in, int* out, int n) {
  __shared__ int values[64];
  const int t = threadIdx.x;
#ifndef REPAIRED
  if (t >= n) return;
#endif
  values[t] = t < n ? in[t] : 0;
  __syncthreads();  // <- here
  if (t < n) out[t] = values[n - 1 - t];
}

int main() {
  const DeviceArray<int> in(50, 50), out(50);
  exchange<<<1, 64>>>(in, out, 50);
  return finish(out);
}
