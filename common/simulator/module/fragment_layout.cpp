// SPDX-License-Identifier: MIT
#include "module/fragment_layout.h"

#include <map>
#include <tuple>

namespace cudasim {
namespace {

struct Place {
  unsigned row, column;
};

/// In groups of four lanes: a group has a row of A and C, and a column of B; within one, lanes lie along the other
/// direction.
Place mma_place(MatrixRole role, unsigned per_register, unsigned rows, unsigned lane, unsigned element) {
  const unsigned group = lane / 4, within = lane % 4;
  if (role == MatrixRole::accumulator) return {group + 8 * (element / 2), 2 * within + element % 2};
  const unsigned word = element / per_register, part = element % per_register;
  if (role == MatrixRole::b) return {(4 * word + within) * per_register + part, group};
  const unsigned halves = rows / 8;
  return {group + 8 * (word % halves), (4 * (word / halves) + within) * per_register + part};
}

}  // namespace

MatrixFragment mma_fragment(MatrixRole role, MatrixElement element, unsigned rows, unsigned columns) {
  static std::map<std::tuple<MatrixRole, unsigned, unsigned, unsigned>, FragmentMap> maps;
  MatrixFragment fragment;
  fragment.element = element;
  fragment.rows = static_cast<std::uint8_t>(rows);
  fragment.columns = static_cast<std::uint8_t>(columns);
  fragment.registers = static_cast<std::uint8_t>(rows * columns / 32 / fragment.per_register());
  const unsigned per = fragment.per_register();
  const auto [entry, is_new] = maps.try_emplace({role, per, rows, columns});
  for (unsigned i = 0; i < fragment.elements() && is_new; ++i) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      const Place place = mma_place(role, per, rows, lane, i);
      entry->second.place[i][lane] = static_cast<std::uint16_t>(place.row * columns + place.column);
    }
  }
  fragment.map = fragment.other_map = &entry->second;
  return fragment;
}

}  // namespace cudasim
