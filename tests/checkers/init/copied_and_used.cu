// finds: uninitialised use=branch
// SPDX-License-Identifier: MIT
// compute-sanitizer: initcheck: 32 errors; of the repaired program too: initcheck
// A whole buffer is copied though only its first half was written. That alone is no bug; to let the other half decide
// something is. It is loaded twice: for the copy, and to decide. Either load may be named.
#include "../planted.h"

__global__ void copy(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // <- other
}

__global__ void count_positive(const int* in, int* out, int n) {
  if (threadIdx.x < n) {
    const int value = in[threadIdx.x];         // <- other
    if (value > 0) atomicAdd(&out[0], value);  // <- here
  }
}

int main() {
  const DeviceArray<int> in(64, Unwritten{}), copied(64, Unwritten{}), out(1);
  must(cudaMemset(in, 0, 32 * sizeof(int)));
  copy<<<1, 64>>>(in, copied);
#ifdef REPAIRED
  count_positive<<<1, 64>>>(copied, out, 32);
#else
  count_positive<<<1, 64>>>(copied, out, 64);
#endif
  return finish(out);
}
