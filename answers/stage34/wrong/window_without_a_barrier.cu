// refused: race: keys are counted in a window that other warps still fill
// SPDX-License-Identifier: MIT
// shown by: --size 8192 --block-size 256
// hint: race-in-block
#include "answer/without_piece.cuh"

template <bool kOwnIsRight>
__device__ void merge_piece(Shared& shared, workbook::KeyType type, workbook::ConstRecords from, workbook::Records to,
                            const Runs& runs) {
  const auto own = [&](std::size_t i) { return workbook::ordinal_of(from.keys[runs.begin + i], type); };
  const auto other = [&](std::size_t i) { return workbook::ordinal_of(from.keys[runs.other + i], type); };
  const std::size_t skipped = count_before<kOwnIsRight>(other, runs.size, own(0));
  const std::size_t size = count_before<kOwnIsRight>(other, runs.size, own(runs.count - 1)) - skipped;
  const bool fits = size <= kWindow;
  for (std::size_t i = threadIdx.x; fits && i < size; i += kThreads) {
    shared.window[i] = other(skipped + i);
  }
  for (std::size_t i = threadIdx.x; i < runs.count; i += kThreads) {
    const auto in_window = [&](std::size_t k) { return shared.window[k]; };
    const std::size_t before = fits ? skipped + count_before<kOwnIsRight>(in_window, size, own(i))
                                    : count_before<kOwnIsRight>(other, runs.size, own(i));
    const std::size_t place = runs.first + (runs.begin - runs.own + i) + before;
    to.keys[place] = from.keys[runs.begin + i];
    if (from.values != nullptr) {
      to.values[place] = from.values[runs.begin + i];
    }
  }
}
