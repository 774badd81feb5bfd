// finds: warp-mask
// SPDX-License-Identifier: MIT
// compute-sanitizer: not asked yet
// The tail of the input: lanes behind the end have left, and the vote still names all 32.
#include "../planted.h"

__global__ void count_positive(const int* in, int* out, int n) {
  const int t = threadIdx.x;
#ifdef REPAIRED
  const unsigned mask = __ballot_sync(0xffffffff, t < n);
#else
  const unsigned mask = 0xffffffff;
#endif
  if (t >= n) return;
  const unsigned positive = __ballot_sync(mask, in[t] > 0);  // <- here
  if (t == 0) *out = __popc(positive);
}

int main() {
  const DeviceArray<int> in(20, 20), out(1);
  count_positive<<<1, 32>>>(in, out, 20);
  return finish(out);
}
