// refused: wrong-result: the terms of the last round are lost where it has not all of them
// SPDX-License-Identifier: MIT
// shown by: --size 150x140x70
// hint: all-zero
#include "../stage22_but_line_of.cuh"

template <class Form>
Line line_of(const workbook::Matrix& c, std::size_t terms) {
  const auto up = [](std::size_t dividend, std::size_t divisor) { return (dividend + divisor - 1) / divisor; };
  Line line{static_cast<int>(up(c.rows, Form::kHeight)), static_cast<int>(up(c.columns, Form::kWidth)),
            terms / Form::kRound, 0};
  line.share = line.rounds;
  return line;
}
