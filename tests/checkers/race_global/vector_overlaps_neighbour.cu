// finds: race scope=grid hazard=write-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// Each block stores a vector of four where it owns two cells: the upper half belongs to the next block.
#include "../planted.h"

__global__ void fill(int* out) {
  const int b = blockIdx.x;
#ifdef REPAIRED
  *reinterpret_cast<int2*>(out + 2 * b) = make_int2(2 * b, 2 * b + 1);
#else
  if (b % 2 == 0) *reinterpret_cast<int4*>(out + 2 * b) = make_int4(2 * b, 2 * b + 1, 0, 0);  // <- other
  if (b % 2 == 1) *reinterpret_cast<int2*>(out + 2 * b) = make_int2(2 * b, 2 * b + 1);        // <- here
#endif
}

int main() {
  const DeviceArray<int> out(16);
  fill<<<8, 1>>>(out);
  return finish(out);
}
