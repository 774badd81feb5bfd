// refused: wrong-result: what is no whole tile below the others has no block
// SPDX-License-Identifier: MIT
// shown by: --size 40x70x70
// hint: empty-grid
// Right where C is made of whole tiles.
#define WRONG line_of<Small>
#include "answer/without_one_function.cuh"

template <class Form>
Line line_of(const workbook::Matrix& c, std::size_t terms) {
  Line line = right_line_of<Form>(c, terms);
  line.tiles_down = static_cast<int>(c.rows / Form::kHeight);
  line.cut_into(line.rounds);
  return line;
}
