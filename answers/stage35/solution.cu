// SPDX-License-Identifier: MIT
// Stage 35: merge sort by merge paths. Blocks sort tiles of 16,896 keys. Passes over memory merge two runs into one of
// twice the length, until one is left. Each thread writes equally many keys, whatever they are. A binary search along a
// diagonal finds where its part of the two runs begins (merge path; Odeh and others, 2012). All passes are one launch:
// a tile waits only for the tiles that it is made of.
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>
#include <utility>

#include "workbook/student/sort.h"

using workbook::ConstRecords;
using workbook::KeyType;
using workbook::Records;

constexpr int kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;

__host__ __device__ constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

// What a block sorts, or writes of two runs. Threads have an odd number of keys. So those that neighbours read at the
// same time, at equal distances, lie in different banks.
template <int kThreads_, int kKeysAThread_, int kBlocksAnSm_>
struct Tile {
  static constexpr int kThreads = kThreads_, kKeysAThread = kKeysAThread_, kBlocksAnSm = kBlocksAnSm_;
  static constexpr int kSize = kThreads * kKeysAThread;
};

// What is compared. A key alone is its ordinal, an unsigned number of the same order. With a value it has its place
// among the input of the block below it. Then no two are equal, and the sort keeps the order of equal keys.
using KeyAlone = std::uint32_t;
using KeyAndPlace = std::uint64_t;
template <class Element>
__device__ Element element_of(std::uint32_t ordinal, int place) {
  if constexpr (sizeof(Element) == sizeof(KeyAlone)) {
    return ordinal;
  } else {
    return Element{ordinal} << 32 | static_cast<unsigned>(place);
  }
}
template <class Element>
__device__ std::uint32_t ordinal_of(Element element) {
  return static_cast<std::uint32_t>(element >> 8 * (sizeof(Element) - sizeof(KeyAlone)));
}

// What stands for a key that is missing: it becomes the last of all ordinals.
template <class Element>
__device__ Element missing_element(KeyType type) {
  return element_of<Element>(workbook::key_of(0xffffffffu, type), -1);
}

// Keys become ordinals, where the type is not that of ordinals already.
template <class Element, int kCount>
__device__ void make_ordinals(Element (&own)[kCount], KeyType type) {
  constexpr int kShift = 8 * (sizeof(Element) - sizeof(KeyAlone));
  if (type == KeyType::unsigned_ints) {
    return;
  }
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    const Element flips = workbook::ordinal_of(ordinal_of(own[i]), type) ^ ordinal_of(own[i]);
    own[i] ^= flips << kShift;
  }
}

// Calls visit(i, place, exists) for a thread's share of a tile, which so many threads have. Number i of it is at
// `place`, and neighbours have neighbouring places. If the tile is whole, the compiler knows that all of it exists.
template <class Tile, class Visit>
__device__ void for_each_place(int size, int threads, Visit visit) {
  if (size == Tile::kSize) {
#pragma unroll
    for (int i = 0; i < Tile::kKeysAThread; ++i) {
      visit(i, static_cast<int>(threadIdx.x) + i * Tile::kThreads, true);
    }
  } else {
#pragma unroll
    for (int i = 0; i < Tile::kKeysAThread; ++i) {
      const int place = threadIdx.x + i * threads;
      visit(i, place, static_cast<int>(threadIdx.x) < threads && place < size);
    }
  }
}

template <class Element>
__device__ void exchange(Element& a, Element& b) {
  const Element smaller = min(a, b), larger = max(a, b);
  a = smaller, b = larger;
}

// Sorts what a thread has in registers, 2^k and one more. A bitonic network sorts the first ones, and the last one goes
// through all of them.
template <class Element, int kCount>
__device__ void sort_in_registers(Element (&own)[kCount]) {
  constexpr int kFirst = kCount - 1;
  static_assert((kFirst & (kFirst - 1)) == 0, "a power of two, and one");
#pragma unroll
  for (int size = 2; size <= kFirst; size *= 2) {
#pragma unroll
    for (int distance = size / 2; distance > 0; distance /= 2) {
#pragma unroll
      for (int i = 0; i < kFirst; ++i) {
        if ((i & distance) == 0) {
          const bool rises = (i & size) == 0 || size == kFirst;
          exchange(own[rises ? i : i + distance], own[rises ? i + distance : i]);
        }
      }
    }
  }
#pragma unroll
  for (int i = 0; i < kFirst; ++i) {
    exchange(own[i], own[kFirst]);
  }
}

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
  // BEGIN SOLUTION: a binary search between from and to, both of which are possible. Element number `middle`
  //     of the first run lies at begin + middle. Its partner on the diagonal is number diagonal - 1 - middle of the
  //     second, which counts from `last` down. Where the one of the first run is smaller, it belongs to them.
  while (from < to) {
    const int middle = (from + to) / 2;
    if (elements[runs.begin + middle] < elements[runs.last - (diagonal - 1 - middle)]) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  // END SOLUTION
  return from;
}

// The kCount smallest elements of what lies from first to last, where two runs meet.
template <class Element, int kCount>
__device__ void merge_serially(const Element* elements, int first, int last, Element (&merged)[kCount]) {
  // BEGIN SOLUTION: take the smaller one of the two elements at first and last, kCount times, and go on to
  //     the next. Here first goes up, and last goes down. Read shared memory once for each, and not behind the last
  //     one. The larger one stays, in either run, and max() finds it. So remember only which run the newer one belongs
  //     to.
  // UNTIL SOLVED: merged[0] = elements[first];  // replace
  // UNTIL SOLVED: (void)last;                   // only keeps the compiler quiet: delete it
  Element older = elements[first], newer = elements[last];
  bool newer_is_of_first = false;
#pragma unroll
  for (int i = 0; i < kCount; ++i) {
    merged[i] = min(older, newer);
    if (i + 1 < kCount) {
      const bool takes_newer = newer < older;
      newer_is_of_first = takes_newer == newer_is_of_first;  // the run that was taken from brings the next one
      older = max(older, newer);
      newer_is_of_first ? ++first : --last;
      newer = elements[newer_is_of_first ? first : last];
    }
  }
  // END SOLUTION
}

// So many neighbouring threads wait for each other: where a warp has them all, not for the block.
__device__ void wait_for_each_other(int threads) {
  if (threads > kWarp) {
    __syncthreads();
  } else {
    __syncwarp();
  }
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

// Stores a sorted tile, the elements of which lie in shared memory. Their ordinals become keys of the type that is
// written. value_at(place): of an element with this place.
template <class Tile, class Element, class ValueAt>
__device__ void store_tile(Records output, std::size_t begin, int size, const Element* elements, KeyType writes,
                           ValueAt value_at) {
  for_each_place<Tile>(size, Tile::kThreads, [&](int, int place, bool exists) {
    if (exists) {
      output.keys[begin + place] = workbook::key_of(ordinal_of(elements[place]), writes);
      if constexpr (sizeof(Element) == sizeof(KeyAndPlace)) {
        output.values[begin + place] = value_at(static_cast<unsigned>(elements[place]));
      }
    }
  });
}

// Where a thread's element `i` lies, when `run` threads have a sorted run together: every second run falls.
template <class Tile>
__device__ int place_in_run(int thread, int run, int i) {
  const int begin = thread / run * run * Tile::kKeysAThread, behind = thread % run * Tile::kKeysAThread + i;
  const bool falls = thread / run % 2 != 0;
  return falls ? begin + run * Tile::kKeysAThread - 1 - behind : begin + behind;
}

// The passes, all in one launch: each block takes one tile of one pass.
struct Passes {
  unsigned count;
  unsigned tiles;         // of a pass
  unsigned pairs;         // of runs, in pass 0
  std::size_t first_run;  // keys of a run in pass 0; in pass p it is 2^p times as long
  Records even, odd;      // an even pass reads `even` and writes `odd`, an odd one the other way
  KeyType writes;         // the last one; between passes a key is its ordinal
  unsigned* counters;     // kOwnLine, and `pairs` for each pass; all are 0 before pass 0

  // Apart from the others: all blocks want it.
  static constexpr unsigned kOwnLine = 64;
  __host__ __device__ unsigned counter_count() const { return count > 0 ? kOwnLine + count * pairs : 0; }
  __device__ unsigned& tiles_drawn() const { return counters[0]; }
  // How many tiles the pass before has written, of those that this pair of runs is made of.
  __device__ unsigned& tiles_written(unsigned pass, std::size_t pair) const {
    return counters[kOwnLine + pass * pairs + pair];
  }
};

// Sorts a tile: each thread its keys, and then runs of twice as many threads, and twice as many.
template <class Tile, class Element>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksAnSm)
    sort_tiles(ConstRecords input, Records output, std::size_t n, KeyType reads, KeyType writes, Passes passes) {
  extern __shared__ unsigned char memory[];
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

// How many of the first `diagonal` keys of two runs a and b in global memory, merged, belong to a. Among equal keys
// those of a come first. All lanes of a warp come here: a load takes long, and 32 take no longer than one. So they try
// 32 places at a time. The ballot says how far the answer is yes.
__device__ std::size_t find_cut_by_warp(const std::uint32_t* a, std::size_t of_a, const std::uint32_t* b,
                                        std::size_t of_b, std::size_t diagonal) {
  std::size_t from = diagonal > of_b ? diagonal - of_b : 0, to = min(of_a, diagonal);
  while (from < to) {
    const std::size_t distance = divide_up(to - from, kWarp);
    const std::size_t tried = from + threadIdx.x % kWarp * distance;
    const bool belongs = tried < to && a[tried] <= b[diagonal - 1 - tried];
    const int yes = __popc(__ballot_sync(kAllLanes, belongs));
    to = min(to, from + yes * distance);
    if (yes > 0) {
      from += (yes - 1) * distance + 1;
    }
  }
  return from;
}

// Blocks draw tiles in the order in which they begin. So each waits only for blocks that are at work already.
__device__ unsigned draw_tile(unsigned& tiles_drawn) {
  __shared__ unsigned drawn;
  if (threadIdx.x == 0) {
    drawn = atomicAdd(&tiles_drawn, 1u);
  }
  __syncthreads();
  return drawn;
}

// For some threads of a block: until so many tiles have been written. What is in them may be read then.
__device__ void wait_for_tiles(unsigned& tiles_written, unsigned tiles) {
  const cuda::atomic_ref<unsigned, cuda::thread_scope_device> written(tiles_written);
  while (written.load(cuda::memory_order_acquire) < tiles) {
  }
}

// All threads of the block come here, and have stored their parts of the tile.
__device__ void tell_of_tile(unsigned& tiles_written) {
  __syncthreads();
  if (threadIdx.x == 0) {
    cuda::atomic_ref<unsigned, cuda::thread_scope_device>(tiles_written).fetch_add(1, cuda::memory_order_release);
  }
}

// Merges pairs of runs, the last of which may be shorter, or missing. A block writes a tile of them. What it writes
// over was read by the pass before, to make the pair for which it has waited.
template <class Tile, class Element>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksAnSm) merge_runs(std::size_t n, Passes passes) {
  extern __shared__ unsigned char memory[];
  auto* const elements = reinterpret_cast<Element*>(memory);
  const unsigned drawn = draw_tile(passes.tiles_drawn());
  const unsigned pass = drawn / passes.tiles;
  const Records input = pass % 2 == 0 ? passes.even : passes.odd, output = pass % 2 == 0 ? passes.odd : passes.even;
  const std::size_t run = passes.first_run << pass, begin = std::size_t{drawn % passes.tiles} * Tile::kSize;
  const int size = static_cast<int>(min(n - begin, std::size_t{Tile::kSize}));
  const std::size_t a = begin / (2 * run) * (2 * run), b = min(a + run, n), end = min(b + run, n);
  __shared__ std::size_t cuts[2];
  if (threadIdx.x < 2 * kWarp) {
    if (pass > 0) {
      wait_for_tiles(passes.tiles_written(pass, a / (2 * run)), static_cast<unsigned>(divide_up(end - a, Tile::kSize)));
    }
    const int side = threadIdx.x / kWarp;  // the first warp finds where the tile begins, the second where it ends
    const std::size_t cut =
        find_cut_by_warp(input.keys + a, b - a, input.keys + b, end - b, begin - a + (side == 0 ? 0 : size));
    if (threadIdx.x % kWarp == 0) {
      cuts[side] = cut;
    }
  }
  __syncthreads();
  const int of_a = static_cast<int>(cuts[1] - cuts[0]);
  const std::size_t from_a = a + cuts[0], from_b = b + (begin - a - cuts[0]) - of_a;
  const auto input_place = [&](int place) { return (place < of_a ? from_a : from_b) + place; };
  Element own[Tile::kKeysAThread];
  for_each_place<Tile>(size, Tile::kThreads, [&](int i, int place, bool exists) {
    own[i] = exists ? element_of<Element>(input.keys[input_place(place)], place)
                    : missing_element<Element>(KeyType::unsigned_ints);
  });
#pragma unroll
  for (int i = 0; i < Tile::kKeysAThread; ++i) {
    const int place = threadIdx.x + i * Tile::kThreads;
    elements[place < of_a ? place : Tile::kSize - 1 - (place - of_a)] = own[i];  // those of b falling
  }
  __syncthreads();
  merge_part<Tile>(elements, TwoRuns{0, Tile::kSize - 1}, of_a, threadIdx.x * Tile::kKeysAThread, Tile::kThreads, own);
  const bool is_last = pass + 1 == passes.count;
#pragma unroll
  for (int i = 0; i < Tile::kKeysAThread; ++i) {
    elements[threadIdx.x * Tile::kKeysAThread + i] = own[i];
  }
  __syncthreads();
  store_tile<Tile>(output, begin, size, elements, is_last ? passes.writes : KeyType::unsigned_ints,
                   [&](unsigned place) { return input.values[input_place(static_cast<int>(place))]; });
  if (!is_last) {
    tell_of_tile(passes.tiles_written(pass + 1, begin / (4 * run)));
  }
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

template <class SortTile, class MergeTile>
Passes plan_passes(KeyType type, Records output, std::size_t n, const workbook::SortWorkspace& workspace) {
  static_assert(2 * SortTile::kSize % MergeTile::kSize == 0, "no tile has keys of two pairs of runs");
  Passes passes{};
  for (std::size_t run = SortTile::kSize; run < n; run *= 2) {
    ++passes.count;
  }
  passes.tiles = static_cast<unsigned>(divide_up(n, MergeTile::kSize));
  passes.pairs = static_cast<unsigned>(divide_up(n, 2 * SortTile::kSize));
  passes.first_run = SortTile::kSize;
  passes.even = output, passes.odd = workspace.records;
  if (passes.count % 2 != 0) {
    std::swap(passes.even, passes.odd);  // so that the last pass writes the output
  }
  passes.writes = type;
  passes.counters = static_cast<unsigned*>(workspace.storage);
  return passes;
}

template <class Element, class SortTile, class MergeTile>
void sort(KeyType type, ConstRecords input, Records output, std::size_t n, const workbook::SortWorkspace& workspace,
          cudaStream_t stream) {
  const Passes passes = plan_passes<SortTile, MergeTile>(type, output, n, workspace);
  launch<SortTile, Element>(sort_tiles<SortTile, Element>, divide_up(n, SortTile::kSize), stream, input, passes.even, n,
                            type, passes.count == 0 ? type : KeyType::unsigned_ints, passes);
  if (passes.count > 0) {
    launch<MergeTile, Element>(merge_runs<MergeTile, Element>, std::size_t{passes.count} * passes.tiles, stream, n,
                               passes);
  }
}

// Large tiles take fewer passes. Where there are too few of them for the device, small ones. What fits into a single
// tile needs no pass at all.
template <class SmallSort, class SmallMerge>
void sort_keys(KeyType type, ConstRecords input, Records output, std::size_t n,
               const workbook::SortWorkspace& workspace, cudaStream_t stream) {
  using LargeSort = Tile<512, 33, 2>;
  using LargeMerge = Tile<128, 33, 8>;
  constexpr std::size_t kMany = std::size_t{1} << 21;
  const bool is_large = n > SmallSort::kSize && (n <= LargeSort::kSize || n >= kMany);
  const auto sort_records = is_large ? sort<KeyAlone, LargeSort, LargeMerge> : sort<KeyAlone, SmallSort, SmallMerge>;
  sort_records(type, input, output, n, workspace, stream);
}

void sort_on_device(KeyType type, ConstRecords input, Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned /*block_size*/, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write find_cut and merge_serially, then delete this line");
  if (n == 0) {
    return;  // a grid without blocks cannot be launched
  }
  using SmallSort = Tile<512, 17, 2>;
  using SmallMerge = Tile<256, 17, 4>;
  if (input.values == nullptr) {
    sort_keys<SmallSort, SmallMerge>(type, input, output, n, workspace, stream);
  } else {
    sort<KeyAndPlace, SmallSort, SmallMerge>(type, input, output, n, workspace, stream);
  }
}
