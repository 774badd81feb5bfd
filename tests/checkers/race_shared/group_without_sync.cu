// finds: race scope=warp hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 warning
// A tile of eight lanes from cooperative groups exchanges values through shared memory: the tile's own sync() orders
// it.
#include <cooperative_groups.h>

#include "../planted.h"

namespace cg = cooperative_groups;

__global__ void reverse_tiles(const int* in, int* out) {
  __shared__ int values[64];
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  const unsigned t = block.thread_rank();
  values[t] = in[t];  // <- other
#ifdef REPAIRED
  tile.sync();
#endif
  out[t] = values[t - tile.thread_rank() + 7 - tile.thread_rank()];  // <- here
}

int main() {
  const DeviceArray<int> in(64, 64), out(64);
  reverse_tiles<<<1, 64>>>(in, out);
  return finish(out);
}
