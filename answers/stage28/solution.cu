// SPDX-License-Identifier: MIT
// Stage 28: all hits in one pass. Each block counts the hits of a tile and keeps them as bits. It learns from the tiles
// before it where its own hits belong, and stores them (decoupled look-back). So the keys are read once. A block draws
// its tile's number, which is not blockIdx.x. So a block that waits for an earlier tile waits for a block that runs.
#include <cstddef>
#include <cuda/atomic>

#include "pages.cuh"
#include "tiles.cuh"
#include "workbook/student/find.h"

// The next tile, in the order in which blocks come, and the round: 1, 2, ... kRounds, 1, ... The block that draws the
// last tile makes both ready for the next search: all others have read the round. All threads of the block come here.
__device__ Turn draw_tile(Board& board, unsigned tiles) {
  __shared__ Turn turn;
  // BEGIN SOLUTION: step 1. Thread 0 reads the round, which is board.round % kRounds + 1, and then draws. To
  //     draw is an atomic addition to board.drawn, which must acquire and release: all must have read the round before
  //     the last one changes it. The thread that draws the last of the tiles puts `drawn` back to 0, and stores this
  //     round as board.round. Then give what thread 0 knows to all threads.
  // UNTIL SOLVED: (void)board, (void)tiles;  // only keeps the compiler quiet: delete it
  // UNTIL SOLVED: turn = {blockIdx.x, 1};    // replace
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> drawn(board.drawn);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> round(board.round);
    turn.round = round.load(cuda::memory_order_relaxed) % kRounds + 1;
    turn.tile = drawn.fetch_add(1, cuda::memory_order_acq_rel);
    if (turn.tile + 1 == tiles) {
      drawn.store(0, cuda::memory_order_relaxed);
      round.store(turn.round, cuda::memory_order_relaxed);
    }
  }
  __syncthreads();
  // END SOLUTION
  return turn;
}

// Tells the others a number of a tile. `what` is kOwnIsThere or kUpToIsThere.
__device__ void publish(Tile& tile, unsigned round, unsigned what, unsigned number) {
  // BEGIN SOLUTION: step 2. Store the number in tile.own or tile.up_to, as `what` says. Then store the state,
  //     kMarks * round + what, by a cuda::atomic_ref of device scope. A thread that sees the state must see the number.
  // UNTIL SOLVED: (void)tile, (void)round, (void)what, (void)number;  // only keeps the compiler quiet: delete it
  (what == kOwnIsThere ? tile.own : tile.up_to) = number;
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> state(tile.state);
  state.store(kMarks * round + what, cuda::memory_order_release);
  // END SOLUTION
}

// What a look at 32 tiles has found: hits, and whether these are all hits before `end`.
struct Window {
  unsigned hits;
  bool is_enough;
};

// For the first warp of a block. Looks at the 32 tiles before tile number `end`, lane 0 at the nearest.
__device__ Window look_at_window(Tile* tiles, unsigned end, unsigned round) {
  const unsigned lane = threadIdx.x % kWarp;
  // BEGIN SOLUTION: step 2. Each lane waits until its tile's state is of this round (it must acquire what was
  //     published). It takes up_to where that is there, else own. A lane that has no tile left takes 0 as an up_to.
  //     The nearest up_to is enough: find it by __ballot_sync(). Lanes behind it add nothing. All lanes return
  //     the sum of all, and whether there is an up_to.
  // UNTIL SOLVED: return (void)tiles, (void)end, (void)round, (void)lane, Window{0, true};  // replace
  unsigned number = 0;
  bool is_up_to = true;
  if (lane < end) {
    Tile& tile = tiles[end - 1 - lane];
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> state(tile.state);
    unsigned found = state.load(cuda::memory_order_acquire);
    while (found / kMarks != round) {
      found = state.load(cuda::memory_order_acquire);
    }
    is_up_to = found % kMarks == kUpToIsThere;
    number = is_up_to ? tile.up_to : tile.own;
  }
  const unsigned ends = __ballot_sync(kAll, is_up_to);
  const unsigned nearest = ends != 0 ? __ffs(ends) - 1 : kWarp;
  const unsigned hits = __shfl_sync(kAll, sum_up_to_lane(lane <= nearest ? number : 0), kWarp - 1);
  return {hits, ends != 0};
  // END SOLUTION
}

// For the first warp of a block, whose tile has `own` hits. It finds how many hits all tiles before it have, and
// publishes what other tiles need of this one.
__device__ unsigned look_back(Tile* tiles, Turn turn, unsigned own) {
  const unsigned lane = threadIdx.x % kWarp;
  Tile& mine = tiles[turn.tile];
  if (lane == 0) {
    publish(mine, turn.round, kOwnIsThere, own);
  }
  unsigned before = 0;
  // BEGIN SOLUTION: step 3. Look at one window after the other, from the nearest on, until one is enough. Add
  //     their hits.
  // UNTIL SOLVED: before = look_at_window(tiles, turn.tile, turn.round).hits;  // replace: this is one window alone
  for (unsigned end = turn.tile;; end -= kWarp) {
    const Window window = look_at_window(tiles, end, turn.round);
    before += window.hits;
    if (window.is_enough) {
      break;
    }
  }
  // END SOLUTION
  if (lane == 0) {
    publish(mine, turn.round, kUpToIsThere, before + own);
  }
  return before;
}

// Stores the indices of all hits. Launch: a block for each tile, which is kPages pages for each of its warps.
template <typename T, unsigned kPages>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    find_all(const T* keys, std::size_t n, T x, workbook::Hits hits, Board* board, Tile* tiles) {
  __shared__ unsigned sums_of_warps[kMostThreads / kWarp];
  __shared__ unsigned before_tile;
  const unsigned warp = threadIdx.x / kWarp, warps = blockDim.x / kWarp;
  const Turn turn = draw_tile(*board, gridDim.x);

  // The hits of this warp's pages, as bits in registers: the keys are not needed again.
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
    const unsigned before = look_back(tiles, turn, own);
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

template <typename T>
void find_all_on_device(const T* keys, std::size_t n, T x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace) {
  // UNTIL SOLVED: WORKBOOK_TODO("step 1: write draw_tile, then delete this line");
  const Cut cut = cut_keys(n, block_size);
  // UNTIL SOLVED: if (cut.tiles > 1) WORKBOOK_TODO("step 2: write publish and look_at_window, then delete this line");
  // UNTIL SOLVED: if (cut.tiles > kWarp + 1) WORKBOOK_TODO("step 3: write look_back, then delete this line");
  // At the same places whatever n is: else a number that another search has left could pass for a state.
  Board* const board = reinterpret_cast<Board*>(workspace.numbers);
  Tile* const tiles = reinterpret_cast<Tile*>(board + 1);
  const auto kernel = cut.pages == 1 ? find_all<T, 1> : find_all<T, kMostPages>;
  kernel<<<cut.tiles, cut.threads, 0, workspace.stream>>>(keys, n, x, hits, board, tiles);
  CUDA_CHECK(cudaGetLastError());
}

template void find_all_on_device(const unsigned*, std::size_t, unsigned, const workbook::Hits&, unsigned,
                                 const workbook::FindAllWorkspace&);
template void find_all_on_device(const int*, std::size_t, int, const workbook::Hits&, unsigned,
                                 const workbook::FindAllWorkspace&);
template void find_all_on_device(const float*, std::size_t, float, const workbook::Hits&, unsigned,
                                 const workbook::FindAllWorkspace&);
