// refused: wrong-result: what is no whole tile below the others has no block
// SPDX-License-Identifier: MIT
// shown by: --size 150x140x70
// hint: empty-grid
// Right where C is made of whole tiles.
#include "../stage22_but_line_of.cuh"

template <class Form>
Line line_of(const workbook::Matrix& c, std::size_t terms) {
  const auto up = [](std::size_t dividend, std::size_t divisor) { return (dividend + divisor - 1) / divisor; };
  Line line{static_cast<int>(c.rows / Form::kHeight), static_cast<int>(up(c.columns, Form::kWidth)),
            up(terms, Form::kRound), 0};
  line.share = line.rounds;
  return line;
}
