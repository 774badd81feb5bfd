// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// Lanes with equal keys look for each other, but the odd lanes never come.
#include "../planted.h"

__global__ void equal_keys(const int* in, unsigned* out) {
  const int t = threadIdx.x;
  if (t % 2 == 0) {
#ifdef REPAIRED
    out[t] = __match_any_sync(0x55555555, in[t]);
#else
    out[t] = __match_any_sync(0xffffffff, in[t]);  // <- here
#endif
  }
}

int main() {
  const DeviceArray<int> in(32, 4);
  const DeviceArray<unsigned> out(32);
  equal_keys<<<1, 32>>>(in, out);
  return finish(out);
}
