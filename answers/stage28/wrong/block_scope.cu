// refused: race: a state is read with the scope of a block, but blocks pass it on
// shown by: --size 20011
// SPDX-License-Identifier: MIT
// hint: race-between-blocks
#include "answer/without_kernel.cuh"

__device__ unsigned wrong_look_back(Tile* tiles, Turn turn, unsigned own) {
  const unsigned lane = threadIdx.x % kWarp;
  Tile& mine = tiles[turn.tile];
  if (lane == 0) {
    publish(mine, turn.round, kOwnIsThere, own);
  }
  unsigned before = 0;
  for (unsigned end = turn.tile;; end -= kWarp) {
    unsigned number = 0;
    bool is_up_to = true;
    if (lane < end) {
      Tile& tile = tiles[end - 1 - lane];
      cuda::atomic_ref<unsigned, cuda::thread_scope_block> state(tile.state);
      unsigned found = state.load(cuda::memory_order_acquire);
      while (found / kMarks != turn.round) {
        found = state.load(cuda::memory_order_acquire);
      }
      is_up_to = found % kMarks == kUpToIsThere;
      number = is_up_to ? tile.up_to : tile.own;
    }
    const unsigned ends = __ballot_sync(kAll, is_up_to);
    const unsigned nearest = ends != 0 ? __ffs(ends) - 1 : kWarp;
    before += __shfl_sync(kAll, sum_up_to_lane(lane <= nearest ? number : 0), kWarp - 1);
    if (ends != 0) {
      break;
    }
  }
  if (lane == 0) {
    publish(mine, turn.round, kUpToIsThere, before + own);
  }
  return before;
}

template <typename T, unsigned kPages>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    find_all(const T* keys, std::size_t n, T x, workbook::Hits hits, Board* board, Tile* tiles) {
  __shared__ unsigned sums_of_warps[kMostThreads / kWarp];
  __shared__ unsigned before_tile;
  const unsigned warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const Turn turn = draw_tile(*board, gridDim.x);

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
    const unsigned before = wrong_look_back(tiles, turn, own);
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
