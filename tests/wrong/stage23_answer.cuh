// SPDX-License-Identifier: MIT
// The answer of stage 23, but with one form of tiles for every shape: four of them take long to compile.
#include "workbook/gemm.h"

struct Line;
struct Lines;
struct Scale;
template <class Form>
void launch(const Lines& a, const Lines& b, workbook::Matrix c, Scale scale, const Line& line, float* partials,
            cudaStream_t stream);

// Renames the answer's definition, and not its calls: there the form follows the name.
#define launch(...) right_launch(__VA_ARGS__)
#include "../../answers/stage23/solution.cu"
#undef launch

Line line_of_small(const workbook::Matrix& c, std::size_t terms) {
  const std::size_t room = workbook::partials_size(c.rows, c.columns, terms);
  return plan_for<Small>(c, terms, room, multiprocessors()).line;
}

#ifndef OWN_LAUNCH  // the file that includes this has none
template <class Form>
void launch(const Lines& a, const Lines& b, workbook::Matrix c, Scale scale, const Line&, float* partials,
            cudaStream_t stream) {
  right_launch<Small>(a, b, c, scale, line_of_small(c, a.terms), partials, stream);
}
#endif
