// refused: wrong-result: what is no whole tile below the others has no block
// SPDX-License-Identifier: MIT
// shown by: --size 150x140x70
// hint: empty-grid
// Right where C is made of whole tiles.
#include "../stage22_but_line_of.cuh"

template <class Form>
Line line_of(const workbook::Matrix& c, std::size_t terms) {
  Line line = right_line_of<Form>(c, terms);
  line.tiles_down = static_cast<int>(c.rows / Form::kHeight);
  line.cut_into(line.rounds);
  return line;
}
