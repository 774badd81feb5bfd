// SPDX-License-Identifier: MIT
// The kernel of stage 28, for wrong kernels that change what it calls. The including file may define LOOK_BACK or
// DRAW_TILE as the name of its own function.
#ifndef LOOK_BACK
#define LOOK_BACK look_back
#endif
#ifndef DRAW_TILE
#define DRAW_TILE draw_tile
#endif

template <typename T, unsigned kPages>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    find_all(const T* keys, std::size_t n, T x, workbook::Hits hits, Board* board, Tile* tiles) {
  __shared__ unsigned sums_of_warps[kMostThreads / kWarp];
  __shared__ unsigned before_tile;
  const unsigned warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const Turn turn = DRAW_TILE(*board, gridDim.x);

  const std::size_t begin = (std::size_t{turn.tile} * warps + warp) * kPages * kPage;
  unsigned mine[kPages];
  unsigned count = 0;
#pragma unroll
  for (unsigned i = 0; i < kPages; ++i) {
    mine[i] = hits_of_page<T>(keys, begin + i * kPage, n, x);
    count += __popc(mine[i]);
  }
  count = sum_up_to_lane(count);
  if (threadIdx.x % kWarp == kWarp - 1) {
    sums_of_warps[warp] = count;
  }
  __syncthreads();
  unsigned before_warp = 0, own = 0;
  for (unsigned i = 0; i < warps; ++i) {
    before_warp += i < warp ? sums_of_warps[i] : 0;
    own += sums_of_warps[i];
  }
  if (warp == 0) {
    const unsigned before = LOOK_BACK(tiles, turn, own);
    if (threadIdx.x == 0) {
      before_tile = before;
      if (turn.tile + 1 == gridDim.x) {
        *hits.count = before + own;
      }
    }
  }
  __syncthreads();
  unsigned at = before_tile + before_warp;
#pragma unroll
  for (unsigned i = 0; i < kPages; ++i) {
    at += store_page(hits, at, begin + i * kPage, mine[i]);
  }
}

#undef LOOK_BACK
#undef DRAW_TILE
