// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 34 --todo`.
// As handed out: d6fc6e709708. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 34: a merge sort by ranks. Each key of two sorted runs finds its place in both together by itself. That is its
// place in its own run, and how many keys of the other run stand before it (its rank there). Equal keys keep their
// order, if one run counts only smaller keys, and the other one equal ones too.
#include <cstddef>
#include <cstdint>
#include <utility>

#include "runs.cuh"
#include "tile_sort.cuh"
#include "workbook/student/block_sort.h"

using workbook::Key;
using workbook::Pair;

// Whether a key of the other run stands before one of the block's own, by their ordinals. The block's own key is of the
// right run or of the left one.
template <bool kOwnIsRight>
__device__ bool stands_before(std::uint32_t other, std::uint32_t own) {
  // TODO (1 line): step 1. Every smaller one does. Among equal keys, those of the left run stand before those of
  //     the right one.
  return other + own == 0;  // replace
}

// How many keys of a run stand before `own`: ordinal(i) is its key number i of `size`. Number: 32 bits where they are
// enough.
template <bool kOwnIsRight, typename Number, typename Ordinal>
__device__ Number count_before(Ordinal ordinal, Number size, std::uint32_t own) {
  Number count = 0;
  // TODO (roughly 6 lines): step 1. A binary search. Keys 0 to count - 1 are known to stand before `own`, and those
  //     from an end on are known not to. Look at the key in the middle.
  return count;
}

// The same by a whole warp, which looks at 32 keys at a time. In a long run that is far away in memory, the 23 steps of
// a binary search become 5. All lanes of the warp come here.
template <bool kOwnIsRight, typename Ordinal>
__device__ std::size_t count_before_by_warp(Ordinal ordinal, std::size_t size, std::uint32_t own) {
  std::size_t count = 0;
  while (size > 0) {
    const std::size_t part = (size + kWarp - 1) / kWarp, last = (threadIdx.x % kWarp + 1) * part - 1;
    const bool before = last < size && stands_before<kOwnIsRight>(ordinal(count + last), own);
    const std::size_t skipped = __popc(__ballot_sync(0xffffffffu, before)) * part;
    count += skipped;
    size = min(part - 1, size - skipped);
  }
  return count;
}

// What a block has in shared memory.
struct Shared {
  std::uint32_t window[kWindow];  // ordinals of the other run
  std::size_t ends[2];            // where the block's first key and its last one would stand in the other run
};

// Stores each key of the block's piece where it belongs in both runs together. All threads of the block come here.
template <bool kOwnIsRight>
__device__ void merge_piece(Shared& shared, workbook::KeyType type, workbook::ConstRecords from, workbook::Records to,
                            const Runs& runs) {
  const auto ordinals_from = [&](std::size_t begin) {
    return [keys = from.keys + begin, type](std::size_t i) { return workbook::ordinal_of(keys[i], type); };
  };
  std::uint32_t own[kKeys];
#pragma unroll
  for (unsigned r = 0; r < kKeys; ++r) {
    const unsigned i = r * kThreads + threadIdx.x;
    own[r] = i < runs.count ? ordinals_from(runs.begin)(i) : 0;
  }
  if (threadIdx.x < 2 * kWarp) {
    const unsigned which = threadIdx.x / kWarp;
    const std::uint32_t key = ordinals_from(runs.begin)(which == 0 ? 0 : runs.count - 1);
    const std::size_t count = count_before_by_warp<kOwnIsRight>(ordinals_from(runs.other), runs.size, key);
    if (threadIdx.x % kWarp == 0) {
      shared.ends[which] = count;
    }
  }
  __syncthreads();
  // Only the keys between these two may stand before one of the block's and not before another one.
  const std::size_t skipped = shared.ends[0], size = shared.ends[1] - skipped;
  const auto other = ordinals_from(runs.other + skipped);
  const bool fits = size <= kWindow;
  for (unsigned i = threadIdx.x; fits && i < size; i += kThreads) {
    shared.window[i] = other(i);
  }
  __syncthreads();
  const auto in_window = [&](unsigned i) { return shared.window[i]; };
#pragma unroll
  for (unsigned r = 0; r < kKeys; ++r) {
    const unsigned i = r * kThreads + threadIdx.x;
    if (i < runs.count) {
      const std::size_t before = fits ? count_before<kOwnIsRight>(in_window, static_cast<unsigned>(size), own[r])
                                      : count_before<kOwnIsRight>(other, size, own[r]);
      std::size_t place = 0;
      // TODO (1 line): step 1. Where the key stands in both runs together, which begin at runs.first. That is its
      //     place in its own run, and all keys of the other run that stand before it.
      to.keys[place] = workbook::key_of(own[r], type);
      if (from.values != nullptr) {
        to.values[place] = from.values[runs.begin + i];
      }
    }
  }
}

// to = from, with each two runs of `run` places merged into one. Launch: kThreads a block. There is a block for each
// piece of all runs, also of those behind the end of the last pair.
__global__ void __launch_bounds__(kThreads) merge_runs(workbook::KeyType type, workbook::ConstRecords from,
                                                       workbook::Records to, std::size_t n, std::size_t run) {
  __shared__ Shared shared;
  const Runs runs = runs_of(blockIdx.x, run, n);
  if (runs.count == 0) {
    return;  // the whole block
  }
  if (runs.is_right) {
    merge_piece<true>(shared, type, from, to, runs);
  } else {
    merge_piece<false>(shared, type, from, to, runs);
  }
}

void launch_merges(workbook::KeyType type, workbook::Records from, workbook::Records to, std::size_t n, std::size_t run,
                   cudaStream_t stream) {
  const std::size_t pairs = (n + 2 * run - 1) / (2 * run);
  merge_runs<<<static_cast<unsigned>(pairs * 2 * (run / kPiece)), kThreads, 0, stream>>>(type, {from.keys, from.values},
                                                                                         to, n, run);
  CUDA_CHECK(cudaGetLastError());
}

void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& workspace, unsigned /*block_size*/, cudaStream_t stream) {
  WORKBOOK_TODO("step 1: write stands_before, count_before and the place, then delete this line");
  if (n > 2 * kTile) WORKBOOK_TODO("step 2: write the passes, then delete this line");
  if (n == 0) {
    return;
  }
  const auto sort_tiles_into = input.values == nullptr ? launch_tiles<Key> : launch_tiles<Pair>;
  // TODO (roughly 7 lines): step 2. Call sort_tiles_into(type, input, ..., n, stream). Then call launch_merges with
  //     runs of one tile, of two, of four, ... until one run has all n places. A pass reads from output or from
  //     workspace.records, and writes to the other one; the last one must write to output.
  sort_tiles_into(type, input, workspace.records, n, stream);        // replace: right for two tiles
  launch_merges(type, workspace.records, output, n, kTile, stream);  // replace
}
