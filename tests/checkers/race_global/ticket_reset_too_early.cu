// finds: race scope=grid is_atomic=true other.is_atomic=false
// SPDX-License-Identifier: MIT
// compute-sanitizer: nothing
// The ticket is put back to 0 for the next launch by the first block that is done, while others have still to draw. The
// block that draws the last number may do it with an ordinary store: its atomic has read what all others left.
#include "../planted.h"

__global__ void count_blocks(unsigned* ticket, unsigned* blocks) {
  if (threadIdx.x != 0) return;
  __threadfence();
  const unsigned before = atomicInc(ticket, gridDim.x);  // <- here
#ifdef REPAIRED
  const unsigned mine = gridDim.x - 1;
#else
  const unsigned mine = 0;
#endif
  if (before != mine) return;
  *blocks = before + 1;
  *ticket = 0;  // <- other
}

int main() {
  const DeviceArray<unsigned> ticket(1), blocks(1);
  count_blocks<<<4, 64>>>(ticket, blocks);
  return finish(ticket, blocks);
}
