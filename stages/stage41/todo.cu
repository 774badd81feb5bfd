// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 41 --todo`.
// As handed out: 13823e3c7da6. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 41: scan in one pass. A block keeps its tile in registers. It learns from the tiles before it what lies before
// its own, and stores the scan (decoupled look-back). So elements are read once. A block draws its tile's number, which
// is not blockIdx.x. So a block that waits for an earlier tile waits for a block that runs.
#include <cstddef>
#include <cuda/atomic>

#include "tiles.cuh"
#include "workbook/student/scan.h"

using workbook::combine;
using workbook::identity;
using workbook::kWarp;
using workbook::Scan;

// The next tile, in the order in which blocks come, and the round: 1, 2, ... kRounds, 1, ... The block that draws the
// last tile makes both ready for the next scan: all others have read the round. All threads of the block come here.
__device__ Turn draw_tile(Board& board, unsigned tiles) {
  __shared__ Turn turn;
  // TODO (roughly 9 lines): step 1. Thread 0 reads the round, which is board.round % kRounds + 1, and then draws. To
  //     draw is an atomic addition to board.drawn, which must acquire and release: all must have read the round before
  //     the last one changes it. The thread that draws the last of the tiles puts `drawn` back to 0, and stores this
  //     round as board.round. Then give what thread 0 knows to all threads.
  (void)board, (void)tiles;  // only keeps the compiler quiet: delete it
  turn = {blockIdx.x, 1};    // replace
  return turn;
}

// Tells the others about a tile. One thread comes here.
__device__ void publish(State& tile, State state) {
  // TODO (1 line): step 2. One store by a cuda::atomic_ref of device scope. It may be relaxed: the value is
  //     in the same word.
  (void)tile, (void)state;  // only keeps the compiler quiet: delete it
}

// What a look at 32 tiles has found: what they have together, and whether that is all that lies before `end`.
template <typename T>
struct Window {
  T all;
  bool is_enough;
};

// For the first warp of a block. Looks at the 32 tiles before tile number `end`, lane 0 at the nearest.
template <typename T>
__device__ Window<T> look_at_window(State* tiles, unsigned end, unsigned round) {
  const unsigned lane = threadIdx.x % kWarp;
  // TODO (roughly 12 lines): step 2. Each lane loads the state of its tile until it is of this round (round_of). A lane
  //     that has no tile left takes the identity, with kUpToIsThere. The nearest kUpToIsThere is enough: find it by
  //     __ballot_sync(). Lanes behind it take the identity. Then combine the values of all lanes by
  //     workbook::shuffle_down(): lane 31 has what stands first. All lanes return the same.
  return (void)tiles, (void)end, (void)round, (void)lane, Window<T>{identity<T>(), true};  // replace
}

// For the first warp of a block, whose tile has `own`. It finds what all tiles before it have together, and publishes
// what other tiles need of this one.
template <typename T>
__device__ T look_back(State* tiles, Turn turn, T own) {
  const unsigned lane = threadIdx.x % kWarp;
  State& mine = tiles[turn.tile];
  if (lane == 0) {
    publish(mine, state_of(turn.round, kOwnIsThere, own));
  }
  T before = identity<T>();
  // TODO (roughly 5 lines): step 3. Look at one window after the other, from the nearest on, until one is enough.
  //     Combine them: which stands first, a window or what you have seen before it?
  before = look_at_window<T>(tiles, turn.tile, turn.round).all;  // replace: this is one window alone
  if (lane == 0) {
    publish(mine, state_of(turn.round, kUpToIsThere, combine(before, own)));
  }
  return before;
}

// Scans all elements. Launch: a block for each tile, which has kRows rows for each of its warps.
template <typename T, unsigned kRows>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    scan_tiles(Scan scan, const T* input, T* output, std::size_t n, Board* board, State* tiles) {
  __shared__ T before_tile;
  const Turn turn = draw_tile(*board, gridDim.x);
  const std::size_t begin = turn.tile * workbook::ScanTile<T, kRows>::size(blockDim.x);
  workbook::ScanTile<T, kRows> tile;
  tile.load(input, begin, n);
  const T own = tile.scan();
  if (threadIdx.x < kWarp) {
    const T before = look_back(tiles, turn, own);
    if (threadIdx.x == 0) {
      before_tile = before;
    }
  }
  __syncthreads();
  tile.store(scan, before_tile, output, begin, n);
}

template <typename T>
void scan_on_device(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                    const workbook::ScanWorkspace& workspace) {
  if (n == 0) {
    return;
  }
  WORKBOOK_TODO("step 1: write draw_tile, then delete this line");
  const Cut cut = cut_elements(n, block_size);
  if (cut.tiles > 1) WORKBOOK_TODO("step 2: write publish and look_at_window, then delete this line");
  if (cut.tiles > kWarp + 1) WORKBOOK_TODO("step 3: write look_back, then delete this line");
  // At the same places whatever n is: else a number that another scan has left could pass for a state.
  Board* const board = reinterpret_cast<Board*>(workspace.words);
  State* const tiles = workspace.words + 1;
  const auto kernel = cut.rows == 1 ? scan_tiles<T, 1> : scan_tiles<T, kMostRows>;
  kernel<<<cut.tiles, block_size, 0, workspace.stream>>>(scan, input, output, n, board, tiles);
  CUDA_CHECK(cudaGetLastError());
}

template void scan_on_device(Scan, const int*, int*, std::size_t, unsigned, const workbook::ScanWorkspace&);
template void scan_on_device(Scan, const float*, float*, std::size_t, unsigned, const workbook::ScanWorkspace&);
template void scan_on_device(Scan, const workbook::Affine*, workbook::Affine*, std::size_t, unsigned,
                             const workbook::ScanWorkspace&);
