// finds: race scope=warp hazard=write-after-read
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// Lanes 0, 5 and 9 read one word. Lanes 0 and 9 then meet, and lane 0 writes it: lane 5 was not asked.
#include "../planted.h"

__global__ void three_readers(const int* in, int* out) {
  __shared__ int word;
  const int t = threadIdx.x;
  if (t == 0) word = in[0];
  __syncwarp();
  int value = 0;
  if (t == 0 || t == 5 || t == 9) value = word;  // <- other
#ifdef REPAIRED
  if (t == 0 || t == 5 || t == 9) __syncwarp(0x00000221);
#else
  if (t == 0 || t == 9) __syncwarp(0x00000201);
#endif
  if (t == 0) word = in[1];  // <- here
  __syncwarp();
  out[t] = value + word;
}

int main() {
  const DeviceArray<int> in(32, 32), out(32);
  three_readers<<<1, 32>>>(in, out);
  return finish(out);
}
