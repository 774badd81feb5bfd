// finds: shuffle-source
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// says: the mask does not name lanes 16 to 23
// Sixteen lanes shuffle over a distance of 8: lanes 8 to 15 get the value of lanes that are not in the mask. It may
// only be dropped, as lanes 8 to 15 do in the repaired program.
#include "../planted.h"

__global__ void pairs(const int* in, int* out) {
  const int t = threadIdx.x;
  if (t >= 16) return;
  const int value = in[t];
  const int other = __shfl_down_sync(0x0000ffff, value, 8);  // <- other
#ifdef REPAIRED
  if (t < 8) out[t] = value + other;
#else
  out[t] = value + other;  // <- here
#endif
}

int main() {
  const DeviceArray<int> in(32, 32), out(16);
  pairs<<<1, 32>>>(in, out);
  return finish(out);
}
