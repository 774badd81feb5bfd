// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: did not end; racecheck: did not end; synccheck: did not end; initcheck: did not end
// The even lanes look for equal keys in a mask of all lanes, but the odd ones never come.
#include "../planted.h"

__global__ void equal_keys(const int* in, unsigned* out) {
  const int t = threadIdx.x;
  unsigned equal = 0;
  if (t % 2 == 0) {
#ifdef REPAIRED
    equal = __match_any_sync(0x55555555, in[t]);
#else
    equal = __match_any_sync(0xffffffff, in[t]);  // <- here
#endif
  }
  out[t] = __shfl_sync(0xffffffff, equal, t / 2 * 2);  // <- also
}

int main() {
  const DeviceArray<int> in(32, 4);
  const DeviceArray<unsigned> out(32);
  equal_keys<<<1, 32>>>(in, out);
  return finish(out);
}
