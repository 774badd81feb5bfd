// refused: wrong-result: a key goes to its new place, and its value stays
// SPDX-License-Identifier: MIT
// shown by: --size 8192 --values places --block-size 256
// hint: sort-value
#include "answer/without_piece.cuh"

// As merge_piece() of the answer, but for one thing, and with no window.
template <bool kOwnIsRight>
__device__ void merge_piece(Shared& /*shared*/, workbook::KeyType type, workbook::ConstRecords from,
                            workbook::Records to, const Runs& runs) {
  for (std::size_t i = threadIdx.x; i < runs.count; i += kThreads) {
    const std::uint32_t own = workbook::ordinal_of(from.keys[runs.begin + i], type);
    const auto other = [&](std::size_t k) { return workbook::ordinal_of(from.keys[runs.other + k], type); };
    const std::size_t before = count_before<kOwnIsRight>(other, runs.size, own);
    const std::size_t place = runs.first + (runs.begin - runs.own + i) + before;
    to.keys[place] = from.keys[runs.begin + i];
    if (from.values != nullptr) {
      to.values[place] = from.values[place];
    }
  }
}
