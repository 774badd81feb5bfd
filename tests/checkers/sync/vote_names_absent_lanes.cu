// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: memcheck: did not end; racecheck: did not end; synccheck: did not end; initcheck: did not end
// The tail of the input: lanes behind the end do not vote, and the mask names all 32 lanes.
#include "../planted.h"

__global__ void which_are_odd(const int* in, unsigned* out, int n) {
  const int t = threadIdx.x;
#ifdef REPAIRED
  unsigned odd = __ballot_sync(0xffffffff, t < n && in[t] % 2 == 1);
#else
  unsigned odd = 0;
  if (t < n) odd = __ballot_sync(0xffffffff, in[t] % 2 == 1);  // <- here
#endif
  out[t] = __shfl_sync(0xffffffff, odd, 0);  // <- also
}

int main() {
  const DeviceArray<int> in(20, 20);
  const DeviceArray<unsigned> out(32);
  which_are_odd<<<1, 32>>>(in, out, 20);
  return finish(out);
}
