// refused: misaligned: the first row of B begins at a multiple of 16 bytes, and the second does not
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x16 --padding 1 --block-size 128x1
// hint: misaligned-global
#include "answer/without_question.cuh"

template <class Tile>
bool is_whole(const workbook::ConstMatrix& a, const workbook::ConstMatrix& b, const workbook::Matrix& c) {
  return c.rows % Tile::kHeight == 0 && c.columns % Tile::kWidth == 0 && a.columns % kTerms == 0 &&
         reinterpret_cast<std::uintptr_t>(b.data) % sizeof(float4) == 0;
}
