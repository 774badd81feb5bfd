// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// says: the mask names lanes 0 to 15, and lanes 0 to 31 call: name them all, 0xffffffff
// does not say: swapped
// The mask names half of the warp, and the whole warp calls. The value is one that would name all lanes, by chance.
#include "../planted.h"

__global__ void exchange(const unsigned* in, unsigned* out) {
#ifdef REPAIRED
  constexpr unsigned kMask = 0xffffffffu;
#else
  constexpr unsigned kMask = 0xffffu;
#endif
  out[threadIdx.x] = __shfl_xor_sync(kMask, ~in[threadIdx.x], 1);  // <- here
}

int main() {
  const DeviceArray<unsigned> in(32), out(32);
  exchange<<<1, 32>>>(in, out);
  return finish(out);
}
