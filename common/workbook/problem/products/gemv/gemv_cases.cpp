// SPDX-License-Identifier: MIT
// The cases of a matrix times a vector: shapes that show mistakes.
#include <algorithm>

#include "workbook/case/case_list.h"
#include "workbook/problem/products/gemv/gemv_problem.h"

namespace workbook {
namespace {

struct Offsets {
  double padding = 0.0, a = 0.0, x = 0.0, y = 0.0;  // the last three: floats behind an aligned address
};

class GemvCases : public CaseList {
 public:
  using CaseList::CaseList;

  // Adds a case with a seed of its own, which changes the place of the 1 and the first row of few.
  void add(Factors factors, std::size_t rows, std::size_t columns, const Offsets& offsets = {}) {
    add_seeded({rows, columns}, {{"factors", static_cast<double>(factors)},
                                 {"padding", offsets.padding},
                                 {"misalign", offsets.a},
                                 {"x-misalign", offsets.x},
                                 {"y-misalign", offsets.y}});
  }
};

void add_quick(GemvCases& cases, const std::vector<dim3>& shapes) {
  cases.add(Factors::places, 33, 50);
  cases.add(Factors::integers, 40, 37, {3.0});
  cases.add(Factors::integers, 64, 64);
  cases.add(Factors::integers, 1, 1);
  cases.add(Factors::places, 44, 68, {4.0});
  cases.add(Factors::integers, 23, 70, {2.0});  // all rows are aligned, and none is a multiple of a vector
  cases.add(Factors::integers, 3, 4003, {1.0});
  cases.add(Factors::integers, 3, 9001);
  cases.add(Factors::integers, 9001, 3);
  cases.use_every_block(shapes);
}

void add_hostile(GemvCases& cases, const std::vector<dim3>& shapes) {
  // Nothing, no terms, lines, both sides of a warp, a vector and a block. All data begin at an odd place.
  cases.add(Factors::integers, 0, 5);
  cases.add(Factors::integers, 5, 0);
  cases.add(Factors::integers, 1, 300);
  cases.add(Factors::integers, 300, 1);
  for (const std::size_t n : Sizes{2, 3, 31, 32, 33, 63, 65, 127, 129, 257}) {
    cases.add(Factors::integers, n, 1023 / n, {static_cast<double>(n % 5)});
    cases.add(Factors::integers, 1021 / n, n, {0.0, static_cast<double>(n % 4)});
    cases.add(Factors::places, n, n + 4, {4.0});
    cases.add(Factors::integers, n + 1, 4 * n);
  }
  for (const double misalign : {1.0, 2.0, 3.0}) {
    cases.add(Factors::integers, 68, 132, {0.0, misalign, 0.0, 0.0});
    cases.add(Factors::integers, 68, 132, {0.0, 0.0, misalign, 0.0});
    cases.add(Factors::integers, 68, 132, {4.0, 0.0, 0.0, misalign});
    cases.add(Factors::places, 67, 131, {1.0, misalign, misalign, misalign});
  }
  cases.add(Factors::uniform, 150, 170);
  cases.add(Factors::balanced, 170, 150, {2.0});
  cases.use_blocks_in_turn(shapes);
  // Few long rows, and few long columns: too much work for one block.
  cases.add(Factors::integers, 3, 40'001, {3.0});
  cases.add(Factors::integers, 140'001, 3, {1.0});
  cases.add(Factors::integers, 7, 16'384);
  cases.add(Factors::places, 2'300, 64);
  cases.add(Factors::places, 5, 12'288);
  cases.use_every_block(shapes);
  // More blocks than a device runs at a time, with the block of the fewest threads.
  cases.add(Factors::integers, 301, 8'192);
  cases.add(Factors::integers, 201, 6'001, {1.0});
  const auto fewer = [](const dim3& one, const dim3& other) { return one.x < other.x; };
  cases.use_every_block({*std::min_element(shapes.begin(), shapes.end(), fewer)});
}

void add_full(GemvCases& cases, const std::vector<dim3>& shapes) {
  constexpr std::size_t kExtents[] = {0, 1, 3, 31, 33, 127, 129, 255, 257, 1000, 1023};
  for (const std::size_t rows : kExtents) {
    for (const std::size_t columns : kExtents) {
      const auto place = static_cast<double>((rows + columns) % 4);
      for (const Factors factors : {Factors::integers, Factors::places}) {
        cases.add(factors, rows, columns, {static_cast<double>(rows % 6), place, 0.0, 3.0 - place});
        cases.add(factors, rows, columns, {4.0});
      }
    }
  }
  cases.add(Factors::uniform, 300, 400);
  cases.add(Factors::balanced, 400, 300, {4.0});
  cases.add(Factors::integers, 1, 1'000'003);
  cases.add(Factors::integers, 1'000'003, 1);
  cases.add(Factors::integers, 1003, 2001, {3.0});
  cases.add(Factors::integers, 65'539, 13);  // more rows than a grid has blocks in y
  cases.add(Factors::integers, 13, 65'539, {1.0});
  cases.add(Factors::integers, 32'768, 128);
  cases.use_blocks_in_turn(shapes);
}

void add_bench(GemvCases& cases, bool simulated) {
  cases.add(Factors::uniform, 1024, 1024);
  if (simulated) return;
  cases.add(Factors::uniform, 4096, 4096);
  cases.add(Factors::uniform, 16'384, 16'384);
  cases.add(Factors::uniform, 65'536, 1024);
  cases.add(Factors::uniform, 1024, 65'536);
  cases.add(Factors::uniform, std::size_t{1} << 20, 128);
}

}  // namespace

std::vector<Settings> GemvProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                         bool simulated) const {
  GemvCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      add_quick(cases, shapes);
      break;
    case Purpose::hostile:
      add_hostile(cases, shapes);
      break;
    case Purpose::full:
      add_full(cases, shapes);
      cases.add_standard();
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      add_bench(cases, simulated);
      break;
  }
  return cases.take();
}

}  // namespace workbook
