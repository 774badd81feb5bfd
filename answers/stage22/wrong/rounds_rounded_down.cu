// refused: wrong-result: the terms of the last round are lost where it has not all of them
// SPDX-License-Identifier: MIT
// shown by: --size 40x70x70
// hint: divided-by-zero
#define WRONG line_of<Small>
#include "answer/without_one_function.cuh"

template <class Form>
Line line_of(const workbook::Matrix& c, std::size_t terms) {
  Line line = right_line_of<Form>(c, terms);
  line.rounds = terms / Form::kRound;
  line.cut_into(line.rounds);
  return line;
}
