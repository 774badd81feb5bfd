// SPDX-License-Identifier: MIT
// Stage 33: a bitonic sort of any size. Blocks sort tiles as in stage 32. Where partners lie in two tiles, a step is a
// sweep over all of the memory. The next sweep must not begin before, and each launch is a barrier for the whole grid.
// So a thread takes the elements of several steps at once. What lies behind the end never moves.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "workbook/student/block_sort.h"
#include "workbook/student/tiles.h"

using workbook::Key;
using workbook::kLogTile;
using workbook::Pair;

constexpr unsigned kThreads = 256;
constexpr unsigned kMostSteps = 4;  // that a sweep takes at once: it has 2^4 elements a thread

// Does kSteps steps: the last with distance 2^log_last, the one before with twice that, and so on. The first of them is
// mirrored or not. A thread takes the 2^kSteps elements that become each other's partners. No other thread takes them.
// Launch: 2^log_last threads for each 2^kSteps * 2^log_last places, or some more.
template <unsigned kSteps, typename Element>
__global__ void __launch_bounds__(kThreads)
    sweep(workbook::KeyType type, workbook::Records records, std::size_t n, unsigned log_last, bool is_mirrored) {
  constexpr unsigned kCount = 1u << kSteps;
  const std::size_t thread = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  std::size_t places[kCount];
  // BEGIN SOLUTION: the thread's places lie 2^log_last apart, among 2^(kSteps + log_last) of them.
  //     Neighbouring threads have neighbouring ones. In a mirrored sweep the upper half of them is the mirror of the
  //     lower half, in the middle of all these places. Still, places[r] rises with r.
  // UNTIL SOLVED: for (std::size_t& place : places) place = n + thread + log_last + is_mirrored;  // replace
  const std::size_t apart = std::size_t{1} << log_last, beside = thread % apart;
  const std::size_t first = (thread - beside) * kCount, in_mirror = is_mirrored ? apart - 1 - beside : beside;
#pragma unroll
  for (unsigned r = 0; r < kCount; ++r) {
    places[r] = first + r * apart + (r < kCount / 2 ? beside : in_mirror);
  }
  // END SOLUTION
  Element elements[kCount];
#pragma unroll
  for (unsigned r = 0; r < kCount; ++r) {
    elements[r] = workbook::load<Element>(type, {records.keys, records.values}, places[r], n);
  }
  if (is_mirrored) {
    workbook::merge_own<true>(elements);
  } else {
    workbook::merge_own<false>(elements);
  }
#pragma unroll
  for (unsigned r = 0; r < kCount; ++r) {
    workbook::store(type, records, places[r], n, elements[r]);
  }
}

template <unsigned kSteps, typename Element>
void launch_sweep(workbook::KeyType type, workbook::Records records, std::size_t n, unsigned log_last, bool is_mirrored,
                  cudaStream_t stream) {
  const unsigned log_group = kSteps + log_last;
  const std::size_t groups = (n + (std::size_t{1} << log_group) - 1) >> log_group;
  const std::size_t blocks = ((groups << log_last) + kThreads - 1) / kThreads;
  sweep<kSteps, Element>
      <<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(type, records, n, log_last, is_mirrored);
  CUDA_CHECK(cudaGetLastError());
}

// At most kMostSteps steps with distances below 2^log_end, none of them in a tile. Returns log_end without them.
template <typename Element>
unsigned launch_steps(workbook::KeyType type, workbook::Records records, std::size_t n, unsigned log_end,
                      bool is_mirrored, cudaStream_t stream) {
  const unsigned steps = std::min(kMostSteps, log_end - kLogTile), log_last = log_end - steps;
  const auto launch = steps == 1   ? launch_sweep<1, Element>
                      : steps == 2 ? launch_sweep<2, Element>
                      : steps == 3 ? launch_sweep<3, Element>
                                   : launch_sweep<4, Element>;
  launch(type, records, n, log_last, is_mirrored, stream);
  return log_last;
}

template <typename Element>
void sort(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
          cudaStream_t stream) {
  workbook::sort_tiles(type, input, output, n, stream);
  // BEGIN SOLUTION: for runs of 2, 4, 8, ... tiles, until one has all n places: first launch_steps, mirrored
  //     the first time. Repeat it until the partners lie in the same tile. Then workbook::finish_tiles.
  // UNTIL SOLVED: launch_steps<Element>(type, output, n, kLogTile + 1, true, stream);  // replace
  for (unsigned log_size = kLogTile + 1; std::size_t{1} << (log_size - 1) < n; ++log_size) {
    unsigned log_end = log_size;
    while (log_end > kLogTile) {
      log_end = launch_steps<Element>(type, output, n, log_end, log_end == log_size, stream);
    }
    workbook::finish_tiles(type, output, n, stream);
  }
  // END SOLUTION
}

void sort_on_device(workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                    const workbook::SortWorkspace& /*workspace*/, unsigned /*block_size*/, cudaStream_t stream) {
  // UNTIL SOLVED: WORKBOOK_TODO("write the places of sweep and the launches of sort, then delete this line");
  if (n == 0) {
    return;
  }
  (input.values == nullptr ? sort<Key> : sort<Pair>)(type, input, output, n, stream);
}
