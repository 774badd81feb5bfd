// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 36 --todo`.
// As handed out: 1f0f9f7aecc3. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 36: radix sort. No two keys are compared. Each pass moves every key to its place by one digit of 8 bits, and
// keeps the order of equal digits. Four passes, from the lowest digit to the highest, sort all keys. A pass reads and
// writes each key once (onesweep; Adinets and Merrill, 2022).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cuda/atomic>

#include "histogram.cuh"
#include "ranks.cuh"
#include "states.cuh"
#include "tile.cuh"
#include "workbook/student/sort.h"

using workbook::ConstRecords;
using workbook::KeyType;
using workbook::Records;

constexpr std::size_t divide_up(std::size_t dividend, std::size_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

// Moves a warp's keys to their places in the sorted tile, those with the same digit in the order in which they were.
// The warp's next key with digit d goes to place next[d]. All threads of the warp come here.
template <unsigned kKeys>
__device__ void place_keys(const std::uint32_t (&keys)[kKeys], unsigned (&places)[kKeys], unsigned* next,
                           std::uint32_t* sorted, unsigned pass) {
  // TODO (roughly 12 lines): step 1. 32 keys at a time, keys[i] of all lanes. Which lanes have the same digit? See
  //     lanes_with() and lanes_before() in ranks.cuh. They all read next[digit], and a lane's place lies as far behind
  //     as there are such lanes before it. When all have read it, the first of them puts next[digit] forward, for the
  //     keys that follow. Write __syncwarp() before and behind that store: a ballot alone orders no memory. Keep the
  //     place in places[i], and store the key at that place of sorted.
  (void)keys, (void)places, (void)next, (void)sorted, (void)pass;  // delete this line
}

// How many keys with this digit lie before the tile, in the whole output. Tile 0 publishes its own number, and each
// tile adds its own.
__device__ State look_back(const State* states, std::size_t tile, unsigned digit, const Pass& pass) {
  State before = 0;
  // TODO (roughly 9 lines): step 2. Go from the tile before this one to the first. Wait until it has published
  //     something of this pass: its kind is then of_tile(pass) or of_all(pass). `State` in states.cuh says where kind
  //     and number stand. Add its number. If it counts all keys before it, too, you are done. The state of a digit of
  //     tile t is states[t * kDigits + digit]. Other blocks write it: read it by a cuda::atomic_ref<const State,
  //     cuda::thread_scope_device>, with cuda::memory_order_relaxed.
  (void)states, (void)tile, (void)digit, (void)pass;  // only keeps the compiler quiet: delete it
  return before;
}

// One pass over one tile.
template <class Tile>
__global__ void __launch_bounds__(Tile::kThreads, Tile::kBlocksAnSm)
    sort_by_digit(ConstRecords input, Records output, std::size_t n, Pass pass, Storage storage) {
  alignas(16) extern __shared__ unsigned char memory[];
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
  // TODO (roughly 9 lines): step 1. Store the sorted tile. Neighbouring threads take neighbouring places of it, which
  //     mostly have the same digit: so they are neighbours in the output, too. A thread's places are
  //     Tile::kThreads apart, and those from `size` on do not exist. The key at a place is shared.keys[place], an
  //     ordinal. Its place in the output is shared.first[digit_of(ordinal, pass.number)] + place. Store
  //     workbook::key_of(ordinal, pass.writes) there, and if constexpr (Tile::kHasValues), shared.values[place].
}

template <class Tile>
void sort(KeyType type, ConstRecords input, Records output, std::size_t n, const workbook::SortWorkspace& workspace,
          cudaStream_t stream) {
  const Storage storage(workspace.storage);
  const std::size_t tiles = divide_up(n, Tile::kSize);
  if (tiles > 1) WORKBOOK_TODO("step 2: write look_back, then delete this line");
  CUDA_CHECK(cudaMemsetAsync(workspace.storage, 0, Storage::bytes(tiles), stream));
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const auto blocks = std::min<std::size_t>(multiprocessors, divide_up(n, kCountThreads * kCountAtOnce));
  launch_count_digits(input.keys, n, type, storage.counts, static_cast<unsigned>(blocks), stream);

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
  const bool is_small = n < kMany || sizeof(typename LargeTile<kHasValues>::Shared) > workbook::most_shared_bytes();
  const auto sort_records = is_small ? sort<SmallTile<kHasValues>> : sort<LargeTile<kHasValues>>;
  sort_records(type, input, output, n, workspace, stream);
}

void sort_on_device(KeyType type, ConstRecords input, Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned /*block_size*/, cudaStream_t stream) {
  WORKBOOK_TODO("step 1: write place_keys and the store of sort_by_digit, then delete this line");
  if (n == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (input.values == nullptr) {
    sort_by_size<false>(type, input, output, n, workspace, stream);
  } else {
    sort_by_size<true>(type, input, output, n, workspace, stream);
  }
}
