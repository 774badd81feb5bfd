// refused: wrong-result: the rank is taken for the place in the output, also of pairs that do not begin there
// SPDX-License-Identifier: MIT
// shown by: --size 16384 --block-size 256
// hint: two-keys-one-place
#include "answer/without_piece.cuh"

// As merge_piece() of the answer, but for one thing, and with no window.
template <bool kOwnIsRight>
__device__ void merge_piece(Shared& /*shared*/, workbook::KeyType type, workbook::ConstRecords from,
                            workbook::Records to, const Runs& runs) {
  for (std::size_t i = threadIdx.x; i < runs.count; i += kThreads) {
    const std::uint32_t own = workbook::ordinal_of(from.keys[runs.begin + i], type);
    const auto other = [&](std::size_t k) { return workbook::ordinal_of(from.keys[runs.other + k], type); };
    const std::size_t before = count_before<kOwnIsRight>(other, runs.size, own);
    const std::size_t place = (runs.begin - runs.own + i) + before;
    to.keys[place] = from.keys[runs.begin + i];
    if (from.values != nullptr) {
      to.values[place] = from.values[runs.begin + i];
    }
  }
}
