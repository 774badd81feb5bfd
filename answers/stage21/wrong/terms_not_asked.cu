// refused: out-of-bounds: C is made of whole tiles, and the last k-tile has not all its terms
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x20 --block-size 128x1
// hint: outside-global
#include "answer/without_question.cuh"

template <class Tile>
bool is_whole(const workbook::ConstMatrix& /*a*/, const workbook::ConstMatrix& b, const workbook::Matrix& c) {
  return c.rows % Tile::kHeight == 0 && c.columns % Tile::kWidth == 0 && b.pitch % kVector == 0 &&
         reinterpret_cast<std::uintptr_t>(b.data) % sizeof(float4) == 0;
}
