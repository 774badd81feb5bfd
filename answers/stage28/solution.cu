// SPDX-License-Identifier: MIT
// Stage 28: all hits in one pass. Each block counts the hits of a tile and keeps them as bits. It learns from the tiles
// before it where its own hits belong, and stores them (decoupled look-back). So the keys are read once. A block draws
// its tile's number, which is not blockIdx.x. So a block that waits for an earlier tile waits for a block that runs.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <cuda/atomic>

#include "workbook/student/find.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;
constexpr unsigned kPage = kWarp * kWarp;  // keys that a warp takes at a time: a bit for each is a word for each lane
constexpr unsigned kMostPages = 4;         // a warp of a tile has; fewer where there would be too few tiles
constexpr unsigned kLoads = 16;            // that a lane has under way at the same time
constexpr unsigned kMostThreads = 512;     // a block
constexpr unsigned kResidentBlocks = 3;    // of these that share an SM's registers
constexpr unsigned kFew = 256;             // hits of a page, which meet in shared memory

// Reads 4 bytes that no thread of this SM will ask for again: they need no place in its L1 cache.
template <typename T>
__device__ T load_once(const T* address) {
  unsigned bits;
  asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(bits) : "l"(address));
  T key;
  memcpy(&key, &bits, sizeof key);
  return key;
}

// The hits of a page, which begins at `page`, as bits. Lane i gets those of keys page + 32 * i to page + 32 * i + 31,
// the first of them in the lowest bit. Keys from `end` on are no hits. All lanes of the warp come here.
template <typename T>
__device__ unsigned hits_of_page(const T* keys, std::size_t page, std::size_t end, T x) {
  const unsigned lane = threadIdx.x % kWarp;
  unsigned mine = 0;
  if (page + kPage <= end) {
#pragma unroll
    for (unsigned first = 0; first < kWarp; first += kLoads) {
      T loaded[kLoads];
#pragma unroll
      for (unsigned i = 0; i < kLoads; ++i) {
        loaded[i] = load_once(keys + page + (first + i) * kWarp + lane);
      }
#pragma unroll
      for (unsigned i = 0; i < kLoads; ++i) {
        const unsigned hits = __ballot_sync(kAll, loaded[i] == x);
        mine = lane == first + i ? hits : mine;
      }
    }
    return mine;
  }
  for (unsigned i = 0; i < kWarp && page + i * kWarp < end; ++i) {
    const std::size_t key = page + i * kWarp + lane;
    const unsigned hits = __ballot_sync(kAll, key < end && keys[key] == x);
    mine = lane == i ? hits : mine;
  }
  return mine;
}

// The sum of this lane's number and of those of all lanes below it.
__device__ unsigned sum_up_to_lane(unsigned number) {
  const unsigned lane = threadIdx.x % kWarp;
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const unsigned below = __shfl_up_sync(kAll, number, distance);
    number += lane >= distance ? below : 0;
  }
  return number;
}

// Stores the indices of a page's hits from hits.indices[at] on, as far as there is room. Returns how many hits it has.
__device__ unsigned store_page(const workbook::Hits& hits, unsigned at, std::size_t page, unsigned mine) {
  const unsigned lane = threadIdx.x % kWarp;
  const unsigned up_to_me = sum_up_to_lane(__popc(mine));
  const unsigned count = __shfl_sync(kAll, up_to_me, kWarp - 1);
  const unsigned before_me = up_to_me - __popc(mine);  // of the page's hits
  if (count > kFew) {
    // Many: all lanes store the hits of one word, side by side, and then those of the next.
    for (unsigned i = 0; i < kWarp; ++i) {
      const unsigned word = __shfl_sync(kAll, mine, i);
      const unsigned place = at + __shfl_sync(kAll, before_me, i) + __popc(word & ((1u << lane) - 1));
      if ((word >> lane & 1u) != 0 && place < hits.capacity) {
        hits.indices[place] = static_cast<unsigned>(page) + i * kWarp + lane;
      }
    }
    return count;
  }
  // Few: each lane has some, which lie apart in the list. So they meet in shared memory, and leave it side by side.
  __shared__ unsigned lists[kMostThreads / kWarp][kFew];
  unsigned* const list = lists[threadIdx.x / kWarp];
  for (unsigned place = before_me; mine != 0; mine &= mine - 1, ++place) {
    list[place] = static_cast<unsigned>(page) + lane * kWarp + __ffs(mine) - 1;
  }
  __syncwarp();
  for (unsigned place = lane; place < count && at + place < hits.capacity; place += kWarp) {
    hits.indices[at + place] = list[place];
  }
  __syncwarp();  // before the next page's hits come
  return count;
}

// What a block publishes about its tile, and for which search. What the search before has left in the workspace belongs
// to another round. The workspace is zeros before the first search, which belong to no round.
struct Tile {
  unsigned state;  // kMarks * round, and which of the numbers below are there
  unsigned own;    // hits of the tile
  unsigned up_to;  // hits of the tile and of all before it
};
constexpr unsigned kMarks = 4;
constexpr unsigned kOwnIsThere = 1;
constexpr unsigned kUpToIsThere = 2;

struct Board {
  unsigned drawn;  // tiles, 0 before and after each search
  unsigned round;  // searches until now
};

struct Turn {
  unsigned tile;
  unsigned round;
};

// The next tile, in the order in which blocks come, and the round, which is never 0. The block that draws the last tile
// makes both ready for the next search: all others have read the round. All threads of the block come here.
__device__ Turn draw_tile(Board& board, unsigned tiles) {
  __shared__ Turn turn;
  // BEGIN SOLUTION: thread 0 reads the round, which is one more than board.round, and then draws. To draw is
  //     an atomic addition to board.drawn, which must acquire and release: all must have read the round before the last
  //     one changes it. The thread that draws the last of the tiles puts `drawn` back to 0 and `round` up by 1. Then
  //     give what thread 0 knows to all threads.
  // UNTIL SOLVED: (void)board, (void)tiles;  // only keeps the compiler quiet: delete it
  // UNTIL SOLVED: turn = {blockIdx.x, 1};    // replace
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> drawn(board.drawn);
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> round(board.round);
    turn.round = round.load(cuda::memory_order_relaxed) + 1;
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

// Tells the others a number of a tile: that is stored already.
__device__ void publish(Tile& tile, unsigned round, unsigned what) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> state(tile.state);
  // BEGIN SOLUTION: store the state, kMarks * round + what, so that a thread that sees it also sees the
  //     number
  // UNTIL SOLVED: (void)state, (void)round, (void)what, (void)kMarks;  // only keeps the compiler quiet: delete it
  state.store(kMarks * round + what, cuda::memory_order_release);
  // END SOLUTION
}

// For the first warp of a block, whose tile has `own` hits. It finds how many hits all tiles before it have, and
// publishes what other tiles need of this one.
__device__ unsigned look_back(Tile* tiles, Turn turn, unsigned own) {
  const unsigned lane = threadIdx.x % kWarp;
  Tile& mine = tiles[turn.tile];
  // BEGIN SOLUTION: lane 0 stores its tile's `own`, and publishes that it is there. Then the warp looks
  //     back, 32 tiles at a time, lane 0 at the nearest. Each lane waits until its tile's state is of this round (it
  //     must acquire what was published). It takes up_to where that is there, else own. A lane that has no tile left
  //     takes 0 as an up_to. The nearest up_to ends the look-back: find it by __ballot_sync(), and lanes behind it add
  //     nothing. At last lane 0 stores and publishes up_to of its own tile.
  // UNTIL SOLVED: (void)lane, (void)mine, (void)own, (void)kOwnIsThere, (void)kUpToIsThere;  // delete it
  // UNTIL SOLVED: return 0;                                                                  // replace
  if (lane == 0) {
    mine.own = own;
    publish(mine, turn.round, kOwnIsThere);
  }
  unsigned before = 0;
  for (unsigned end = turn.tile;; end -= kWarp) {
    unsigned number = 0;
    bool is_up_to = true;
    if (lane < end) {
      Tile& tile = tiles[end - 1 - lane];
      cuda::atomic_ref<unsigned, cuda::thread_scope_device> state(tile.state);
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
    mine.up_to = before + own;
    publish(mine, turn.round, kUpToIsThere);
  }
  return before;
  // END SOLUTION
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

struct Cut {
  unsigned tiles;
  unsigned pages;    // a warp has
  unsigned threads;  // a block
};

// Large tiles: each costs a look back. But three for two SMs at least, or there would be too few to keep the memory
// busy. Smaller blocks where there would not be one for two SMs.
Cut cut_keys(std::size_t n, unsigned block_size) {
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const auto tiles_of = [n](unsigned pages, unsigned threads) {
    const std::size_t tile = std::size_t{kWarp} * pages * threads;
    return static_cast<unsigned>(std::max<std::size_t>(1, (n + tile - 1) / tile));
  };
  const auto sms = static_cast<unsigned>(multiprocessors);
  const unsigned pages = 2 * tiles_of(kMostPages, block_size) < 3 * sms ? 1 : kMostPages;
  unsigned threads = block_size;
  while (threads > 2 * kWarp && 2 * tiles_of(pages, threads) < sms) {
    threads /= 2;
  }
  return {tiles_of(pages, threads), pages, threads};
}

template <typename T>
void find_all_on_device(const T* keys, std::size_t n, T x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace) {
  // UNTIL SOLVED: WORKBOOK_TODO("write draw_tile, publish and look_back, then delete this line");
  const Cut cut = cut_keys(n, block_size);
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
