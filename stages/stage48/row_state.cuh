// SPDX-License-Identifier: MIT
// What is known of some numbers of a row, as stage 47 has it, and how blocks hand it on.
#pragma once

#include <cfloat>
#include <cstring>

#include "workbook/student/rows.h"

constexpr unsigned kWarp = 32;
constexpr unsigned kAll = 0xffffffffu;

/// The largest of some numbers, and the sum of exp(x - max) over them. An operation that needs no maximum has the same
/// max in all its states. This changes no sum, as exp(0) is 1.
struct RowState {
  float max;
  float sum;
};
/// The state of no numbers.
__device__ inline RowState nothing() { return {-FLT_MAX, 0.0f}; }

/// The state of what `first` and `second` have together.
__device__ inline RowState combine(RowState first, RowState second) {
  const float max = fmaxf(first.max, second.max);
  return {max, first.sum * __expf(first.max - max) + second.sum * __expf(second.max - max)};
}

/// The state of all lanes of a warp together, for each of them. All lanes come here.
__device__ inline RowState state_of_warp(RowState state) {
  for (unsigned distance = kWarp / 2; distance > 0; distance /= 2) {
    const RowState other{__shfl_xor_sync(kAll, state.max, distance), __shfl_xor_sync(kAll, state.sum, distance)};
    state = combine(state, other);
  }
  return state;
}

/// A state in one word, which is stored at once and loaded at once.
using Word = unsigned long long;
/// No state: its max would be NaN, and a max never is.
constexpr Word kNotThere = ~Word{0};

__device__ inline Word word_of(RowState state) {
  Word word;
  memcpy(&word, &state, sizeof word);
  return word;
}
__device__ inline RowState state_in(Word word) {
  RowState state;
  memcpy(&state, &word, sizeof state);
  return state;
}

/// What blocks share, in the workspace. Before the launch all bits are set.
struct Board {
  Word* drawn;   ///< One word: the number of the part that was drawn last.
  Word* states;  ///< A word for each part of each row.
};

/// The number of a part that no other block has: 0, 1, 2, ... in the order of the rows. One thread of a block comes
/// here.
__device__ inline Word draw_part(const Board& board) { return atomicAdd(board.drawn, Word{1}) + 1; }
