// SPDX-License-Identifier: MIT
#include "decode/families/fragment_layout.h"

#include <map>
#include <mutex>
#include <tuple>

namespace cudasim {
namespace {

struct Place {
  unsigned row, column;
};

/// Lanes are in groups of four. Along k, the words of a row (of A) or column (of B) go round the four lanes of a group.
/// Across k, a group has every eighth row or column. An operand of 16 rows and more has two of them side by side before
/// it goes on along k. The others first go along k.
Place place_of(MatrixRole role, const MatrixShape& shape, unsigned per_register, unsigned lane, unsigned element) {
  const unsigned group = lane / 4, within = lane % 4;
  const bool turned = shape.n > shape.m;  // m8n32: as m32n8, with A and B exchanged, and rows and columns
  if (role == MatrixRole::accumulator) {
    const bool long_side = shape.m >= 16;
    const unsigned across = turned || !long_side ? group + 8 * (element / 2) : group + 8 * (element / 2 % 2);
    const unsigned along = 2 * within + element % 2, further = element / 4;
    if (turned) return {along, across};
    if (!long_side) return {group, along + 8 * (element / 2)};
    return shape.m == 32 ? Place{across + 16 * further, along} : Place{across, along + 8 * further};
  }
  const unsigned word = element / per_register, part = element % per_register;
  const unsigned blocks = shape.k / (4 * per_register);  // of words along k
  const bool pairs = role == MatrixRole::a ? !turned && shape.m >= 16 : turned;
  const unsigned block = pairs ? word / 2 % blocks : word % blocks;
  const unsigned across = group + 8 * (pairs ? word % 2 + word / 2 / blocks * 2 : word / blocks);
  const unsigned along = (4 * block + within) * per_register + part;
  return role == MatrixRole::a ? Place{across, along} : Place{along, across};
}

}  // namespace

MatrixFragment make_fragment(MatrixRole role, MatrixElement element, const MatrixShape& shape, bool is_open) {
  struct Maps {
    FragmentMap usual, other;
  };
  // Never destroyed: work that is left over runs at the end of a program.
  static auto& known = *new std::map<std::tuple<MatrixRole, unsigned, unsigned, unsigned, unsigned>, Maps>;
  static std::mutex mutex;
  MatrixFragment fragment;
  fragment.element = element;
  fragment.rows = static_cast<std::uint8_t>(role == MatrixRole::b ? shape.k : shape.m);
  fragment.columns = static_cast<std::uint8_t>(role == MatrixRole::a ? shape.k : shape.n);
  const unsigned per = fragment.per_register(), all = unsigned{fragment.rows} * fragment.columns;
  fragment.registers = static_cast<std::uint8_t>(all / 32 / per);
  const unsigned count = fragment.elements();
  const std::lock_guard<std::mutex> lock(mutex);
  const auto [entry, is_new] = known.try_emplace({role, per, shape.m, shape.n, shape.k});
  Maps& maps = entry->second;
  for (unsigned i = 0; i < kMostFragmentElements && is_new; ++i) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      // Where a fragment has more registers than it needs, its elements begin again.
      const Place place = place_of(role, shape, per, lane, i % count);
      const auto at = static_cast<std::uint16_t>(place.row * fragment.columns + place.column);
      maps.usual.place[i][lane] = at;
      maps.other.place[i / count * count + count - 1 - i % count][31 - lane] = at;
    }
  }
  fragment.map = &maps.usual;
  fragment.other_map = is_open ? &maps.other : &maps.usual;
  if (is_open && element == MatrixElement::f16 && role != MatrixRole::accumulator) fragment.registers = 8;
  return fragment;
}

}  // namespace cudasim
