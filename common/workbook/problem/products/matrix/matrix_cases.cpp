// SPDX-License-Identifier: MIT
// The cases of copy and transpose: shapes that show mistakes.
#include <algorithm>

#include "workbook/case/case_list.h"
#include "workbook/problem/products/matrix/matrix_problem.h"

namespace workbook {
namespace {

class MatrixCases : public CaseList {
 public:
  using CaseList::CaseList;

  // The two pitches differ, so that a mixed-up pitch gives a wrong result. A padding that is a multiple of 4 keeps rows
  // aligned.
  void add(std::size_t rows, std::size_t columns, double padding = 0.0, double misalign = 0.0) {
    add_padded(rows, columns, padding, padding == 0.0 ? 0.0 : padding + 4.0, misalign);
  }
  void add_padded(std::size_t rows, std::size_t columns, double padding, double output_padding, double misalign = 0.0) {
    CaseList::add({rows, columns}, {{"padding", padding}, {"output-padding", output_padding}, {"misalign", misalign}});
  }
  // All rows of both matrices are aligned, and have a gap behind them.
  void add_aligned(Move move, std::size_t rows, std::size_t columns) {
    const std::size_t output_columns = move == Move::transpose ? rows : columns;
    add_padded(rows, columns, static_cast<double>(4 - columns % 4), static_cast<double>(8 - output_columns % 4));
  }
};

// For a transpose, first squares without edges. A wrong index goes outside of no memory there, and the places of the
// wrong elements tell what was exchanged. With a wrong pitch, rows overlap nowhere, and all but the first are wrong.
void add_quick(MatrixCases& cases, Move move, const std::vector<dim3>& shapes) {
  if (move == Move::transpose) {
    cases.add(64, 64);
    cases.add(64, 64, 4.0);
  }
  cases.add(100, 37);
  cases.add(37, 100, 3.0);
  cases.add(44, 100, 4.0);
  cases.add(46, 38, 2.0);  // all rows are aligned, and none is a multiple of a vector
  cases.add(1, 1);
  if (move == Move::copy) cases.add(64, 64);
  cases.add(129, 260, 4.0);
  cases.use_every_block(shapes);
}

void add_hostile(MatrixCases& cases, Move move, const std::vector<dim3>& shapes) {
  // Nothing, lines, and both sides of a warp and of a tile, with rows that begin anywhere.
  cases.add(0, 5);
  cases.add(5, 0);
  for (const std::size_t n : Sizes{2, 3, 31, 32, 33, 63, 65, 127, 129, 257}) {
    cases.add(n, 1023 / n, static_cast<double>(n % 5));
    cases.add(1021 / n, n, 0.0, static_cast<double>(n % 4));
    cases.add(n, n + 4, 4.0);
  }
  for (const double misalign : {1.0, 2.0, 3.0}) {
    cases.add(68, 132, 0.0, misalign);
    cases.add(67, 131, 1.0, misalign);
  }
  // One of the two pitches is no multiple of a vector.
  cases.add_padded(68, 132, 4.0, 5.0);
  cases.add_padded(68, 132, 3.0, 4.0);
  cases.add(133, 261, 3.0);
  cases.add(1, 5003);
  cases.add(5003, 1);
  cases.add(3, 32'900, 4.0);  // Rows that lie far apart.
  cases.add(3, 35'712);       // The same with 31 * 9 * 128 columns, a bad number for steps of 31 tiles of each size.
  cases.use_blocks_in_turn(shapes);
  cases.add(193, 389, 3.0);
  cases.add(256, 128);
  // Rows of less than a vector, and whole tiles but for one row, or one column.
  cases.add_aligned(move, 7, 3);
  cases.add_aligned(move, 3, 7);
  cases.add_aligned(move, 127, 128);
  cases.add_aligned(move, 128, 127);
  cases.use_every_block(shapes);
  // More rows than a grid has blocks in y, with the block of the fewest threads.
  const auto threads = [](const dim3& one, const dim3& other) { return one.x * one.y < other.x * other.y; };
  const dim3 smallest = *std::min_element(shapes.begin(), shapes.end(), threads);
  cases.add(std::size_t{65'535} * smallest.y + 3, 1);
  cases.use_every_block({smallest});
}

void add_full(MatrixCases& cases, const std::vector<dim3>& shapes) {
  constexpr std::size_t kExtents[] = {1, 2, 31, 32, 33, 64, 100, 127, 257};
  for (const std::size_t rows : kExtents) {
    for (const std::size_t columns : kExtents) {
      for (const double padding : {0.0, 1.0, 4.0}) cases.add(rows, columns, padding);
    }
  }
  cases.add(1003, 2001, 3.0);
  cases.use_every_block(shapes);
  // More blocks than a grid can have in y, if there is one for every 8 rows or columns.
  cases.add(600'011, 3);
  cases.add(3, 600'011);
  cases.add(4099, 4093, 1.0);
  cases.use_blocks_in_turn(shapes);
}

}  // namespace

std::vector<Settings> MatrixProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                           bool simulated) const {
  MatrixCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      add_quick(cases, move_, shapes);
      break;
    case Purpose::hostile:
      add_hostile(cases, move_, shapes);
      break;
    case Purpose::full:
      add_full(cases, shapes);
      cases.add_standard();
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      for (std::size_t n = 1024; n <= (simulated ? 1024u : 32768u); n *= 2) cases.add(n, n);
      break;
  }
  return cases.take();
}

}  // namespace workbook
