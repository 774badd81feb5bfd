// refused: wrong-result: nobody computes the rows and columns that lie in no tile
// SPDX-License-Identifier: MIT
// shown by: --size 65x130x70
// hint: output-not-written
// Right where C is made of whole tiles, and where what is left of them is not thin.
#define WRONG line_of<Small>
#include "answer/without_one_function.cuh"

template <class Form>
Line line_of(const workbook::Matrix& c, std::size_t terms) {
  Line line = right_line_of<Form>(c, terms);
  line.height = c.rows;
  line.width = c.columns;
  return line;
}
