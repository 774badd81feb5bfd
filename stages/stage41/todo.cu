// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 41 --todo`.
// As handed out: 9cff1d567227. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 41: scan in one pass. A block keeps a tile in registers. It learns from the tiles before it what lies before
// its own, and stores the scan (decoupled look-back). So elements are read once. It holds a second tile meanwhile, and
// has published what that one has: so a look back seldom waits.
#include <cstddef>
#include <cuda/atomic>

#include "tiles.cuh"
#include "workbook/student/scan.h"

using workbook::combine;
using workbook::identity;
using workbook::kWarp;
using workbook::Scan;

// The next ticket, in the order in which blocks come, and the round: 1, 2, ... kRounds, 1, ... The block that draws the
// last one makes the board ready for the next scan. All threads of the block come here.
__device__ Turn draw_tile(Board& board, unsigned count) {
  __shared__ Turn turn;
  // TODO (roughly 8 lines): step 1. Thread 0 draws: one atomic addition to the board. It returns both halves as they
  //     were before: the low one is the tile, and the round is the high one % kRounds + 1. So it may be relaxed. The
  //     thread with the last of count_draws(count) tickets stores a board with this round and no tickets. Then give
  //     what thread 0 knows to all threads.
  (void)board, (void)count;  // only keeps the compiler quiet: delete it
  turn = {blockIdx.x, 1};    // replace
  return turn;
}

// Tells the others about a tile. One thread comes here.
__device__ void publish(State& tile, State state) {
  // TODO (1 line): step 2. One store by a cuda::atomic_ref of device scope. It may be relaxed: the value is
  //     in the same word.
  (void)tile, (void)state;  // only keeps the compiler quiet: delete it
}

// Looks at the blockDim.x tiles before tile number `end`, thread 0 at the nearest. All threads come here.
template <typename T>
__device__ Window<T> look_at_window(State* tiles, unsigned end, unsigned round) {
  const unsigned back = threadIdx.x, lane = back % kWarp;
  Window<T> of_warp;
  // TODO (roughly 11 lines): step 2. Each thread loads the state of its tile until it is of this round (round_of). One
  //     that has no tile left takes the identity, with kUpToIsThere. The nearest kUpToIsThere of the warp is enough:
  //     find it by __ballot_sync(). Lanes behind it take the identity. Then combine the values of all lanes by
  //     workbook::shuffle_down(): lane 31 has what stands first, and lane 0 gets all.
  (void)tiles, (void)end, (void)round, (void)lane;  // only keeps the compiler quiet: delete it
  of_warp = {identity<T>(), true};                  // replace
  return combine_windows(of_warp);
}

// What all tiles before this one have together. All threads come here.
template <typename T>
__device__ T look_back(State* tiles, Turn turn) {
  T before = identity<T>();
  // TODO (roughly 5 lines): step 3. Look at one window after the other, from the nearest on, until one is enough.
  //     Combine them: which stands first, a window or what you have seen before it?
  before = look_at_window<T>(tiles, turn.tile, turn.round).all;  // replace: this is one window alone
  return before;
}

// A tile that a block has loaded, scanned and published. All threads of the block call each function.
template <typename T, unsigned kRows>
struct TileInHand {
  using Tile = workbook::ScanTile<T, kRows>;
  Turn turn;
  Tile tile;
  T own;

  __device__ void begin(Turn drawn, const T* input, std::size_t n, State* tiles) {
    turn = drawn;
    tile.load(input, turn.tile * Tile::size(blockDim.x), n);
    own = tile.scan();
    if (threadIdx.x == 0) {
      publish(tiles[turn.tile], state_of(turn.round, kOwnIsThere, own));
    }
  }
  __device__ void finish(Scan scan, T* output, std::size_t n, State* tiles) const {
    const T before = look_back<T>(tiles, turn);
    if (threadIdx.x == 0) {
      publish(tiles[turn.tile], state_of(turn.round, kUpToIsThere, combine(before, own)));
    }
    tile.store(scan, before, output, turn.tile * Tile::size(blockDim.x), n);
  }
};

// Scans all elements. Launch: as many blocks as there are tiles, or fewer. No number of resident blocks is too small.
// The first tile that is not finished is always the tile in hand of its block, and never the next one. All before it
// are finished, so it need not wait. And a block publishes its next tile before it waits for anything.
template <typename T, unsigned kRows>
__global__ void __launch_bounds__(kMostThreads, kResidentBlocks)
    scan_tiles(Scan scan, const T* input, T* output, std::size_t n, unsigned count, Board* board, State* tiles) {
  const Turn first = draw_tile(*board, count);
  if (first.tile >= count) {
    return;  // other blocks have drawn them all
  }
  TileInHand<T, kRows> mine;
  mine.begin(first, input, n, tiles);
  // TODO (roughly 10 lines): step 4. Until a ticket is no tile: draw the next one, begin that tile, and only then
  //     finish the tile in hand. The next tile takes its place. Where there are as many blocks as tiles, draw no more.
  mine.finish(scan, output, n, tiles);  // replace: this is one tile alone
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
  if (cut.tiles > block_size + 1) WORKBOOK_TODO("step 3: write look_back, then delete this line");
  if (cut.tiles > cut.blocks) WORKBOOK_TODO("step 4: write scan_tiles, then delete this line");
  // At the same places whatever n is: else a number that another scan has left could pass for a state.
  Board* const board = workspace.words;
  State* const tiles = workspace.words + 1;
  const auto kernel = cut.rows == 1 ? scan_tiles<T, 1> : scan_tiles<T, kMostRows>;
  kernel<<<cut.blocks, block_size, 0, workspace.stream>>>(scan, input, output, n, cut.tiles, board, tiles);
  CUDA_CHECK(cudaGetLastError());
}

template void scan_on_device(Scan, const int*, int*, std::size_t, unsigned, const workbook::ScanWorkspace&);
template void scan_on_device(Scan, const float*, float*, std::size_t, unsigned, const workbook::ScanWorkspace&);
template void scan_on_device(Scan, const workbook::Affine*, workbook::Affine*, std::size_t, unsigned,
                             const workbook::ScanWorkspace&);
