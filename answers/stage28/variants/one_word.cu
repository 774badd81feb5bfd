// SPDX-License-Identifier: MIT
// Variant: the state and its number are one word of 64 bits, stored and loaded at once. A thread that sees the state
// sees the number. So nothing has to be released or acquired: relaxed accesses do.
// To expect: a few percent less time, where there are many tiles. A number has 32 bits, the round 30.
#include "tiles.cuh"
#include "workbook/student/find.h"

template <typename T, unsigned kPages>
__global__ void find_all(const T* keys, std::size_t n, T x, workbook::Hits hits, Board* board, Tile* tiles);

// Renames the answer's kernel, and not its launch: there no parenthesis follows the name.
#define find_all(...) find_all_with_two_words(__VA_ARGS__)
#include "../solution.cu"
#undef find_all

using Word = unsigned long long;

// kMarks * round + what, and the number below it.
__device__ Word word_of(unsigned round, unsigned what, unsigned number) {
  return Word{kMarks * round + what} << 32 | number;
}

// As look_back() of the answer, with the tiles as words.
__device__ unsigned look_back_at_words(Word* tiles, Turn turn, unsigned own) {
  const unsigned lane = threadIdx.x % kWarp;
  cuda::atomic_ref<Word, cuda::thread_scope_device> mine(tiles[turn.tile]);
  if (lane == 0) {
    mine.store(word_of(turn.round, kOwnIsThere, own), cuda::memory_order_relaxed);
  }
  unsigned before = 0;
  for (unsigned end = turn.tile;; end -= kWarp) {
    Word found = word_of(turn.round, kUpToIsThere, 0);
    if (lane < end) {
      cuda::atomic_ref<Word, cuda::thread_scope_device> tile(tiles[end - 1 - lane]);
      do {
        found = tile.load(cuda::memory_order_relaxed);
      } while ((found >> 32) / kMarks != turn.round);
    }
    const unsigned ends = __ballot_sync(kAll, (found >> 32) % kMarks == kUpToIsThere);
    const unsigned nearest = ends != 0 ? __ffs(ends) - 1 : kWarp;
    const unsigned number = lane <= nearest ? static_cast<unsigned>(found) : 0;
    before += __shfl_sync(kAll, sum_up_to_lane(number), kWarp - 1);
    if (ends != 0) {
      break;
    }
  }
  if (lane == 0) {
    mine.store(word_of(turn.round, kUpToIsThere, before + own), cuda::memory_order_relaxed);
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
    const unsigned before = look_back_at_words(reinterpret_cast<Word*>(tiles), turn, own);
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
