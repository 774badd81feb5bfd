// SPDX-License-Identifier: MIT
// Stage 36: radix sort. No two keys are compared. Each pass moves every key to its place by one digit of 8 bits, and
// keeps the order of equal digits. Four passes, from the lowest digit to the highest, sort all keys. A pass reads and
// writes each key once (onesweep; Adinets and Merrill, 2022).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "workbook/student/sort.h"

using workbook::ConstRecords;
using workbook::KeyType;
using workbook::Records;

constexpr unsigned kWarp = 32;
constexpr unsigned kAllLanes = 0xffffffffu;
constexpr unsigned kDigitBits = 8, kDigits = 1 << kDigitBits;
constexpr unsigned kPasses = 32 / kDigitBits;
constexpr std::uint32_t kLastOrdinal = 0xffffffffu;

constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

// What a block sorts in a pass. Warp w has the w-th part of it, and lane l of a warp its numbers l, l + 32, l + 64, ...
template <unsigned kThreads_, unsigned kKeysAThread_, unsigned kBlocksAnSm_, bool kHasValues_>
struct Tile {
  static constexpr unsigned kThreads = kThreads_, kKeysAThread = kKeysAThread_, kBlocksAnSm = kBlocksAnSm_;
  static constexpr bool kHasValues = kHasValues_;
  static constexpr unsigned kWarps = kThreads / kWarp, kSize = kThreads * kKeysAThread;
  static_assert(kThreads >= kDigits, "a thread for each digit");

  struct Shared {
    unsigned next[kWarps][kDigits];  // where, in the sorted tile, the next key of a warp with this digit goes
    std::size_t first[kDigits];      // what must be added to a place in the sorted tile: the place in the output
    std::uint32_t keys[kSize];       // the sorted tile
    std::uint32_t values[kHasValues ? kSize : 1];
  };
};
template <bool kHasValues>
using SmallTile = Tile<256, 8, 4, kHasValues>;
template <bool kHasValues>
using LargeTile = Tile<512, kHasValues ? 20 : 24, 2, kHasValues>;

// One of four. Between the passes, a key is stored as its ordinal, an unsigned number of the same order.
struct Pass {
  unsigned number;
  KeyType reads, writes;
};

__device__ unsigned digit_of(std::uint32_t ordinal, unsigned pass) {
  return (ordinal >> (kDigitBits * pass)) % kDigits;
}

// What a tile publishes about one digit, for the tiles behind it. It is a number of keys, and in the highest byte what
// it counts. Both stand in one word, which is written and read as a whole. A kind of an earlier pass, or 0, means that
// nothing is published yet.
using State = std::uint64_t;
constexpr int kKindShift = 56;
__device__ State of_tile(const Pass& pass) { return State{2} * pass.number + 1; }  // the keys of this tile
__device__ State of_all(const Pass& pass) { return State{2} * pass.number + 2; }   // and of all that come before them

// The workspace. All of it is 0 before the first pass.
struct Storage {
  unsigned* counts;   // of kPasses * kDigits: how often each digit occurs
  unsigned* tickets;  // of kPasses: how many tiles have begun
  State* states;      // of kDigits for each tile

  static constexpr std::size_t kStatesBegin = (kPasses * kDigits + 64) * sizeof(unsigned);
  explicit Storage(void* storage)
      : counts(static_cast<unsigned*>(storage)),
        tickets(counts + kPasses * kDigits),
        states(reinterpret_cast<State*>(static_cast<unsigned char*>(storage) + kStatesBegin)) {}
  static std::size_t bytes(std::size_t tiles) { return kStatesBegin + tiles * kDigits * sizeof(State); }
};

// How often each digit of each pass occurs among all keys. The counters are there 32 times, once for each lane. Those
// of lane l lie in bank l, so no two lanes of a warp ever meet.
constexpr unsigned kCountThreads = 1024, kCountAtOnce = 16;
constexpr unsigned kCountersBytes = kPasses * kDigits * kWarp * sizeof(unsigned);
__global__ void __launch_bounds__(kCountThreads)
    count_digits(const std::uint32_t* keys, std::size_t n, KeyType type, unsigned* counts) {
  extern __shared__ unsigned counters[];  // [pass][digit][lane]
  const unsigned lane = threadIdx.x % kWarp;
  for (unsigned i = threadIdx.x; i < kPasses * kDigits * kWarp; i += kCountThreads) {
    counters[i] = 0;
  }
  __syncthreads();
  const std::size_t stride = std::size_t{gridDim.x} * kCountThreads;
  for (std::size_t first = std::size_t{blockIdx.x} * kCountThreads + threadIdx.x; first < n;
       first += kCountAtOnce * stride) {
    std::uint32_t loaded[kCountAtOnce];
#pragma unroll
    for (unsigned k = 0; k < kCountAtOnce; ++k) {
      loaded[k] = first + k * stride < n ? keys[first + k * stride] : 0;
    }
#pragma unroll
    for (unsigned k = 0; k < kCountAtOnce; ++k) {
      const std::uint32_t ordinal = workbook::ordinal_of(loaded[k], type);
      for (unsigned pass = 0; pass < kPasses && first + k * stride < n; ++pass) {
        atomicAdd(&counters[(pass * kDigits + digit_of(ordinal, pass)) * kWarp + lane], 1u);
      }
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < kPasses * kDigits; i += kCountThreads) {
    unsigned sum = 0;
    for (unsigned k = 0; k < kWarp; ++k) {
      sum += counters[i * kWarp + (k + lane) % kWarp];
    }
    if (sum > 0) {
      atomicAdd(&counts[i], sum);
    }
  }
}

// Blocks draw tiles in the order in which they begin. So each waits only for blocks that are at work already.
__device__ std::size_t draw_tile(unsigned* ticket) {
  __shared__ unsigned drawn;
  if (threadIdx.x == 0) {
    drawn = atomicAdd(ticket, 1u);
  }
  __syncthreads();
  return drawn;
}

// The sum over the threads before this one, of the first kDigits threads. All threads of the block come here.
__device__ unsigned sum_before(unsigned own) {
  __shared__ unsigned warp_sums[kDigits / kWarp];
  const unsigned lane = threadIdx.x % kWarp, warp = threadIdx.x / kWarp;
  unsigned sum = own;
#pragma unroll
  for (unsigned distance = 1; distance < kWarp; distance *= 2) {
    const unsigned left = __shfl_up_sync(kAllLanes, sum, distance);
    sum += lane >= distance ? left : 0;
  }
  __syncthreads();  // the sums of the call before have been read
  if (threadIdx.x < kDigits && lane == kWarp - 1) {
    warp_sums[warp] = sum;
  }
  __syncthreads();
  for (unsigned w = 0; threadIdx.x < kDigits && w < warp; ++w) {
    sum += warp_sums[w];
  }
  return sum - own;
}

// The lanes of the warp that have the same digit: for each of its bits, the lanes in which it is the same.
__device__ unsigned lanes_with(unsigned digit) {
  unsigned lanes = kAllLanes;
#pragma unroll
  for (unsigned bit = 0; bit < kDigitBits; ++bit) {
    // As in C++: same = __ballot_sync(kAllLanes, digit & 1 << bit), and ~same where the bit is 0. In these words the
    // compiler makes half as many instructions of it.
    unsigned same;
    asm volatile(
        "{\n\t"
        ".reg .pred set;\n\t"
        ".reg .b32 masked;\n\t"
        "and.b32 masked, %1, %2;\n\t"
        "setp.ne.u32 set, masked, 0;\n\t"
        "vote.sync.ballot.b32 %0, set, 0xffffffff;\n\t"
        "@!set not.b32 %0, %0;\n\t"
        "}"
        : "=r"(same)
        : "r"(digit), "r"(1u << bit));
    lanes &= same;
  }
  return lanes;
}

__device__ unsigned lanes_before() { return (1u << threadIdx.x % kWarp) - 1; }

// Moves a warp's keys to their places in the sorted tile, those with the same digit in the order in which they were.
// The warp's next key with digit d goes to place next[d]. All threads of the warp come here.
template <unsigned kKeys>
__device__ void place_keys(const std::uint32_t (&keys)[kKeys], unsigned (&places)[kKeys], unsigned* next,
                           std::uint32_t* sorted, unsigned pass) {
  // BEGIN SOLUTION: 32 keys at a time, keys[i] of all lanes. Which lanes have the same digit? They all read
  //     next[digit], and a lane's place lies as far behind as there are such lanes before it. When all have read it,
  //     the first of them puts next[digit] forward, for the keys that follow. Keep the place in places[i].
#pragma unroll
  for (unsigned i = 0; i < kKeys; ++i) {
    const unsigned digit = digit_of(keys[i], pass);
    const unsigned lanes = lanes_with(digit);
    const unsigned before = __popc(lanes & lanes_before());
    const unsigned first = next[digit];
    __syncwarp();
    if (before == 0) {
      next[digit] = first + __popc(lanes);
    }
    __syncwarp();
    places[i] = first + before;
    sorted[places[i]] = keys[i];
  }
  // END SOLUTION
}

// How many keys with this digit lie before the tile, in the whole output. Tile 0 publishes its own number, and each
// tile adds its own.
__device__ State look_back(const State* states, std::size_t tile, unsigned digit, const Pass& pass) {
  State before = 0;
  // BEGIN SOLUTION: go from the tile before this one to the first. Wait until it has published something of
  //     this pass. Add its number. If it counts all keys before, too, you are done. The state of a digit of tile t is
  //     states[t * kDigits + digit]. Other blocks write it: read it by a cuda::atomic_ref of device scope, relaxed.
  // UNTIL SOLVED: return before;  // replace
  while (tile-- > 0) {
    const cuda::atomic_ref<const State, cuda::thread_scope_device> state(states[tile * kDigits + digit]);
    State said;
    do {
      said = state.load(cuda::memory_order_relaxed);
    } while (said >> kKindShift < of_tile(pass));
    before += said & ((State{1} << kKindShift) - 1);
    if (said >> kKindShift == of_all(pass)) {
      break;
    }
  }
  return before;
  // END SOLUTION
}

__device__ void say(State& state, State kind, State number) {
  cuda::atomic_ref<State, cuda::thread_scope_device>(state).store(kind << kKindShift | number,
                                                                  cuda::memory_order_relaxed);
}

// A key of the tile. What is missing in the last tile becomes the last of all ordinals, and comes behind all keys that
// there are.
__device__ std::uint32_t ordinal_at(const std::uint32_t* keys, unsigned place, unsigned size, KeyType type) {
  return place < size ? workbook::ordinal_of(keys[place], type) : kLastOrdinal;
}

// One pass over one tile.
template <class Tile>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksAnSm)
    sort_by_digit(ConstRecords input, Records output, std::size_t n, Pass pass, Storage storage) {
  extern __shared__ unsigned char memory[];
  auto& shared = *reinterpret_cast<typename Tile::Shared*>(memory);
  const unsigned warp = threadIdx.x / kWarp;
  const unsigned digit = threadIdx.x;  // the first kDigits threads have one each
  const bool has_digit = digit < kDigits;
  for (unsigned i = threadIdx.x; i < Tile::kWarps * kDigits; i += Tile::kThreads) {
    shared.next[i / kDigits][i % kDigits] = 0;
  }
  const std::size_t tile = draw_tile(&storage.tickets[pass.number]);

  const std::size_t begin = tile * Tile::kSize;
  const auto size = static_cast<unsigned>(min(n - begin, std::size_t{Tile::kSize}));
  const unsigned first = warp * kWarp * Tile::kKeysAThread + threadIdx.x % kWarp;
  std::uint32_t keys[Tile::kKeysAThread];
#pragma unroll
  for (unsigned i = 0; i < Tile::kKeysAThread; ++i) {
    keys[i] = ordinal_at(input.keys + begin, first + i * kWarp, size, pass.reads);
  }

  // How often has each warp each digit? From that: how often the tile has it, and where the keys of each warp begin.
#pragma unroll
  for (unsigned i = 0; i < Tile::kKeysAThread; ++i) {
    atomicAdd(&shared.next[warp][digit_of(keys[i], pass.number)], 1u);
  }
  __syncthreads();
  unsigned of_digit = 0;
  for (unsigned w = 0; has_digit && w < Tile::kWarps; ++w) {
    const unsigned of_warp = shared.next[w][digit];
    shared.next[w][digit] = of_digit;
    of_digit += of_warp;
  }
  State& state = storage.states[tile * kDigits + digit];
  if (has_digit && tile > 0) {
    say(state, of_tile(pass), of_digit);
  }
  const unsigned smaller_in_tile = sum_before(of_digit);
  for (unsigned w = 0; has_digit && w < Tile::kWarps; ++w) {
    shared.next[w][digit] += smaller_in_tile;
  }
  State before = 0;
  if (tile == 0) {  // before its keys with a digit are all keys with a smaller one
    before = sum_before(has_digit ? storage.counts[pass.number * kDigits + digit] : 0);
    if (has_digit) {
      say(state, of_all(pass), before + of_digit);
    }
  }
  __syncthreads();

  unsigned places[Tile::kKeysAThread];
  place_keys(keys, places, shared.next[warp], shared.keys, pass.number);
  if constexpr (Tile::kHasValues) {
#pragma unroll
    for (unsigned i = 0; i < Tile::kKeysAThread; ++i) {
      const unsigned place = first + i * kWarp;
      shared.values[places[i]] = place < size ? input.values[begin + place] : 0;
    }
  }
  if (has_digit && tile > 0) {
    before = look_back(storage.states, tile, digit, pass);
    say(state, of_all(pass), before + of_digit);
  }
  if (has_digit) {
    shared.first[digit] = before - smaller_in_tile;
  }
  __syncthreads();
  // Neighbours of the sorted tile mostly have the same digit, and so are neighbours in the output.
#pragma unroll
  for (unsigned i = 0; i < Tile::kKeysAThread; ++i) {
    const unsigned place = threadIdx.x + i * Tile::kThreads;
    if (place < size) {
      const std::uint32_t ordinal = shared.keys[place];
      const std::size_t to = shared.first[digit_of(ordinal, pass.number)] + place;
      output.keys[to] = workbook::key_of(ordinal, pass.writes);
      if constexpr (Tile::kHasValues) {
        output.values[to] = shared.values[place];
      }
    }
  }
}

template <class Tile>
void sort(KeyType type, ConstRecords input, Records output, std::size_t n, const workbook::SortWorkspace& workspace,
          cudaStream_t stream) {
  const Storage storage(workspace.storage);
  const std::size_t tiles = divide_up(n, Tile::kSize);
  CUDA_CHECK(cudaMemsetAsync(workspace.storage, 0, Storage::bytes(tiles), stream));
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const auto blocks = std::min<std::size_t>(multiprocessors, divide_up(n, kCountThreads * kCountAtOnce));
  CUDA_CHECK(cudaFuncSetAttribute(count_digits, cudaFuncAttributeMaxDynamicSharedMemorySize, kCountersBytes));
  count_digits<<<static_cast<unsigned>(blocks), kCountThreads, kCountersBytes, stream>>>(input.keys, n, type,
                                                                                         storage.counts);
  CUDA_CHECK(cudaGetLastError());

  constexpr std::size_t kBytes = sizeof(typename Tile::Shared);  // more than the 48 KiB that need no asking
  CUDA_CHECK(
      cudaFuncSetAttribute(sort_by_digit<Tile>, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(kBytes)));
  const KeyType ordinals = KeyType::unsigned_ints;
  ConstRecords from = input;
  for (unsigned pass = 0; pass < kPasses; ++pass) {
    const Records to = pass % 2 == 0 ? workspace.records : output;  // the last one is odd
    const Pass digits{pass, pass == 0 ? type : ordinals, pass == kPasses - 1 ? type : ordinals};
    sort_by_digit<Tile><<<static_cast<unsigned>(tiles), Tile::kThreads, kBytes, stream>>>(from, to, n, digits, storage);
    CUDA_CHECK(cudaGetLastError());
    from = {to.keys, to.values};
  }
}

// Large tiles have longer runs of one digit to write, and small ones work for few keys, too.
template <bool kHasValues>
void sort_by_size(KeyType type, ConstRecords input, Records output, std::size_t n,
                  const workbook::SortWorkspace& workspace, cudaStream_t stream) {
  constexpr std::size_t kMany = 30'000;
  const auto sort_records = n < kMany ? sort<SmallTile<kHasValues>> : sort<LargeTile<kHasValues>>;
  sort_records(type, input, output, n, workspace, stream);
}

void sort_on_device(KeyType type, ConstRecords input, Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned /*block_size*/, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write place_keys and look_back, then delete this line");
  if (n == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (input.values == nullptr) {
    sort_by_size<false>(type, input, output, n, workspace, stream);
  } else {
    sort_by_size<true>(type, input, output, n, workspace, stream);
  }
}
