// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 35 --todo`.
// As handed out: 0fd9bd2d6c6c. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 35: merge sort by merge paths. Blocks sort tiles of 16,896 keys. Passes over memory merge two runs into one of
// twice the length, until one is left. Each thread writes equally many keys, whatever they are. A binary search along a
// diagonal finds where its part of the two runs begins (merge path; Odeh and others, 2012). All passes are one launch:
// a tile waits only for the tiles that it is made of.
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "elements.cuh"
#include "parts.cuh"
#include "passes.cuh"
#include "thread_sort.cuh"
#include "tile.cuh"
#include "workbook/student/shared_memory.h"
#include "workbook/student/sort.h"

using workbook::ConstRecords;
using workbook::KeyType;
using workbook::Records;

// Two runs in shared memory: the first rises from `begin` on, the second falls from there to `last`. A thread that
// comes to the end of one of them reads the largest of the other, which is not smaller than what is left.
struct TwoRuns {
  int begin, last;
};

// How many of the first `diagonal` elements of both, merged, belong to the first run, which has `of_first` elements.
template <class Element>
__device__ int find_cut(const Element* elements, TwoRuns runs, int of_first, int diagonal) {
  const int of_second = runs.last + 1 - runs.begin - of_first;
  int from = max(0, diagonal - of_second), to = min(of_first, diagonal);
  // TODO (roughly 6 lines): step 1. A binary search between from and to, both of which are possible. Element number
  //     `middle` of the first run lies at runs.begin + middle. Its partner on the diagonal is number diagonal - 1 -
  //     middle of the second run, which counts from runs.last down. Where the one of the first run is smaller, it
  //     belongs to the first `diagonal` elements.
  return from;
}

// The kCount smallest elements of what lies from first to last, where two runs meet.
template <class Element, int kCount>
__device__ void merge_serially(const Element* elements, int first, int last, Element (&merged)[kCount]) {
  // TODO (roughly 8 lines): step 1. Keep the elements at first and last in two registers. kCount times, the smaller
  //     one is the next of merged. The next element of its run replaces it: the one at ++first, or the one at --last.
  //     That is one load from shared memory for each element, and none behind the last one.
  merged[0] = elements[first];  // replace
  (void)last;                   // only keeps the compiler quiet: delete it
}

// A thread's part of two runs, which so many threads have together: kKeysAThread elements from the diagonal on. All of
// them come here, and all have read what they need when one of them leaves. Then the elements may be written over.
template <class Tile, class Element>
__device__ void merge_part(const Element* elements, TwoRuns runs, int of_first, int diagonal, int threads,
                           Element (&merged)[Tile::kKeysAThread]) {
  const int cut = find_cut(elements, runs, of_first, diagonal);
  merge_serially(elements, runs.begin + cut, runs.last - (diagonal - cut), merged);
  wait_for_each_other(threads);
}

// Sorts a tile: each thread its keys, and then runs of twice as many threads, and twice as many.
template <class Tile, class Element>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksAnSm)
    sort_tiles(ConstRecords input, Records output, std::size_t n, KeyType reads, KeyType writes, Passes passes) {
  alignas(16) extern __shared__ unsigned char memory[];
  auto* const elements = reinterpret_cast<Element*>(memory);
  constexpr int kKeys = Tile::kKeysAThread;
  const int thread = threadIdx.x;
  const unsigned number = blockIdx.x * Tile::kThreads + threadIdx.x;  // more than there are counters
  if (number < passes.counter_count()) {
    passes.counters[number] = 0;
  }
  const std::size_t begin = std::size_t{blockIdx.x} * Tile::kSize;
  const int size = static_cast<int>(min(n - begin, std::size_t{Tile::kSize}));
  int threads = Tile::kThreads;  // that have keys: the fewest, as a power of two
  while (threads / 2 * kKeys >= size) {
    threads /= 2;
  }
  Element own[kKeys];
  for_each_place<Tile>(size, threads, [&](int i, int place, bool exists) {
    own[i] = exists ? element_of<Element>(input.keys[begin + place], place) : missing_element<Element>(reads);
  });
  make_ordinals(own, reads);
  sort_in_registers(own);
  for (int run = 1;; run *= 2) {
#pragma unroll
    for (int i = 0; i < kKeys; ++i) {
      elements[place_in_run<Tile>(thread, run, i)] = own[i];
    }
    if (run == threads) {
      break;
    }
    wait_for_each_other(2 * run);
    const int pair_begin = thread / (2 * run) * (2 * run) * kKeys;
    merge_part<Tile>(elements, TwoRuns{pair_begin, pair_begin + 2 * run * kKeys - 1}, run * kKeys,
                     thread * kKeys - pair_begin, 2 * run, own);
  }
  __syncthreads();
  store_tile<Tile>(output, begin, size, elements, writes, [&](unsigned place) { return input.values[begin + place]; });
}

// Waits until the pass before has written all tiles of the two runs that this tile is made of. Only those
// threads of the block that read the runs come here, all of one warp or more.
template <class Tile>
__device__ void wait_for_pair(const Passes& passes, const MergedTile& tile) {
  // TODO (roughly 5 lines): step 2. Pass 0 waits for no pass. In another pass, load the counter of this pair of runs
  //     with cuda::memory_order_acquire until it is the number of tiles from a to end. Pairs are numbered from 0 on,
  //     and each has 2 * tile.run keys. passes.tiles_written() is the counter, for a cuda::atomic_ref of the device's
  //     scope.
  (void)passes, (void)tile;  // only keeps the compiler quiet: delete it
}

// Counts this tile as written, for the next pass. All threads of the block come here, and have stored their keys of it.
__device__ void count_tile(const Passes& passes, const MergedTile& tile) {
  // TODO (roughly 6 lines): step 2. The last pass counts nothing. In another pass, wait for all threads of the
  //     block. Then one thread adds 1 to the counter with cuda::memory_order_release. It is the counter of the next
  //     pass, whose pairs have 4 * tile.run keys: which of them has the key at tile.begin?
  (void)passes, (void)tile;  // only keeps the compiler quiet: delete it
}

// Merges pairs of runs, the last of which may be shorter, or missing. A block writes a tile of them. What it writes
// over was read by the pass before, to make the pair for which it has waited.
template <class Tile, class Element>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksAnSm) merge_runs(std::size_t n, Passes passes) {
  alignas(16) extern __shared__ unsigned char memory[];
  auto* const elements = reinterpret_cast<Element*>(memory);
  const MergedTile tile = passes.tile<Tile>(draw_tile(passes.tiles_drawn()), n);
  __shared__ std::size_t cuts[2];
  if (threadIdx.x < 2 * kWarp) {
    wait_for_pair<Tile>(passes, tile);
    const int side = threadIdx.x / kWarp;  // the first warp finds where the tile begins, the second where it ends
    const std::size_t cut = find_cut_by_warp(tile.input.keys + tile.a, tile.b - tile.a, tile.input.keys + tile.b,
                                             tile.end - tile.b, tile.begin - tile.a + (side == 0 ? 0 : tile.size));
    if (threadIdx.x % kWarp == 0) {
      cuts[side] = cut;
    }
  }
  __syncthreads();
  const Parts parts = parts_of(tile, cuts);
  load_parts<Tile>(tile, parts, elements);
  __syncthreads();
  Element own[Tile::kKeysAThread];
  merge_part<Tile>(elements, TwoRuns{0, Tile::kSize - 1}, parts.of_a, threadIdx.x * Tile::kKeysAThread, Tile::kThreads,
                   own);
#pragma unroll
  for (int i = 0; i < Tile::kKeysAThread; ++i) {
    elements[threadIdx.x * Tile::kKeysAThread + i] = own[i];
  }
  __syncthreads();
  const bool is_last = tile.pass + 1 == passes.count;
  store_tile<Tile>(tile.output, tile.begin, tile.size, elements, is_last ? passes.writes : KeyType::unsigned_ints,
                   [&](unsigned place) { return tile.input.values[parts.input_place(static_cast<int>(place))]; });
  count_tile(passes, tile);
}

// Launches a kernel of so many blocks, with a tile of elements in shared memory.
template <class Tile, class Element, class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), std::size_t blocks, cudaStream_t stream, Arguments... arguments) {
  constexpr int kBytes = Tile::kSize * sizeof(Element);
  constexpr int kFreeBytes = 48 * 1024;  // of shared memory a block, without asking
  if (kBytes > kFreeBytes) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes));
  }
  kernel<<<static_cast<unsigned>(blocks), Tile::kThreads, kBytes, stream>>>(arguments...);
  CUDA_CHECK(cudaGetLastError());
}

template <class Element, class SortTile, class MergeTile>
void sort(KeyType type, ConstRecords input, Records output, std::size_t n, const workbook::SortWorkspace& workspace,
          cudaStream_t stream) {
  const Passes passes = plan_passes<SortTile, MergeTile>(type, output, n, workspace);
  launch<SortTile, Element>(sort_tiles<SortTile, Element>, divide_up(n, SortTile::kSize), stream, input, passes.even, n,
                            type, passes.count == 0 ? type : KeyType::unsigned_ints, passes);
  if (passes.count > 0) {
    WORKBOOK_TODO("step 2: write wait_for_pair and count_tile, then delete this line");
    launch<MergeTile, Element>(merge_runs<MergeTile, Element>, std::size_t{passes.count} * passes.tiles, stream, n,
                               passes);
  }
}

// Whether a block of this GPU has shared memory for a tile of elements.
template <class Tile, class Element>
bool has_room() {
  return Tile::kSize * sizeof(Element) <= workbook::most_shared_bytes();
}

// Large tiles take fewer passes. Where there are too few of them for the device, or no room for one, small ones. What
// fits into a single tile needs no pass at all.
template <class SmallSort, class SmallMerge>
void sort_keys(KeyType type, ConstRecords input, Records output, std::size_t n,
               const workbook::SortWorkspace& workspace, cudaStream_t stream) {
  using LargeSort = Tile<512, 33, 2>;
  using LargeMerge = Tile<128, 33, 8>;
  constexpr std::size_t kMany = std::size_t{1} << 21;
  const bool is_large =
      n > SmallSort::kSize && (n <= LargeSort::kSize || n >= kMany) && has_room<LargeSort, KeyAlone>();
  const auto sort_records = is_large ? sort<KeyAlone, LargeSort, LargeMerge> : sort<KeyAlone, SmallSort, SmallMerge>;
  sort_records(type, input, output, n, workspace, stream);
}

void sort_on_device(KeyType type, ConstRecords input, Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned /*block_size*/, cudaStream_t stream) {
  WORKBOOK_TODO("step 1: write find_cut and merge_serially, then delete this line");
  if (n == 0) {
    return;  // a grid without blocks cannot be launched
  }
  using SmallSort = Tile<512, 17, 2>;
  using SmallMerge = Tile<256, 17, 4>;
  if (input.values == nullptr) {
    sort_keys<SmallSort, SmallMerge>(type, input, output, n, workspace, stream);
  } else {
    const auto sort_records = has_room<SmallSort, KeyAndPlace>() ? sort<KeyAndPlace, SmallSort, SmallMerge>
                                                                 : sort<KeyAndPlace, SmallMerge, SmallMerge>;
    sort_records(type, input, output, n, workspace, stream);
  }
}
