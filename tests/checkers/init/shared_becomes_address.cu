// finds: uninitialised use=address
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// A list in shared memory is shorter than the loop that follows it.
#include "../planted.h"

__global__ void follow(const int* in, int* out, int listed) {
  __shared__ unsigned list[32];
  const int t = threadIdx.x;
  if (t < listed) list[t] = 31 - t;
  __syncthreads();
  const unsigned index = list[t];  // <- other
  out[t] = in[index % 32];         // <- here
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
#ifdef REPAIRED
  follow<<<1, 32>>>(in, out, 32);
#else
  follow<<<1, 32>>>(in, out, 20);
#endif
  return finish(out);
}
