// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: did not end; racecheck: did not end; synccheck: did not end; initcheck: did not end
// Half of the warp comes to a __syncwarp() that names all 32 lanes; the others wait at the shuffle for this half.
#include "../planted.h"

__global__ void reverse_half(const int* in, int* out) {
  __shared__ int values[32];
  const int t = threadIdx.x;
  int value = in[t];
  if (t < 16) {
    values[t] = value;
#ifdef REPAIRED
    __syncwarp(0x0000ffff);
#else
    __syncwarp();  // <- here
#endif
    value = values[15 - t];
  }
  out[t] = __shfl_xor_sync(0xffffffff, value, 16);  // <- also
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  reverse_half<<<1, 32>>>(in, out);
  return finish(out);
}
