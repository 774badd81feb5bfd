// SPDX-License-Identifier: MIT
// The cases of rows: all kinds of numbers, and lengths on both sides of a vector, a warp, a block and several blocks.
#include "workbook/case/case_list.h"
#include "workbook/problem/sums/rows/rows_problem.h"

namespace workbook {
namespace {

struct Gaps {
  double padding = 0.0, misalign = 0.0;
  double output = 4.0;  // floats more than that behind a row of the output, where there is a gap
};

class RowsCases : public CaseList {
 public:
  using CaseList::CaseList;

  // The two pitches differ, so that a mixed-up pitch gives a wrong result. A padding that is a multiple of 4 keeps rows
  // aligned.
  void add(RowValues values, std::size_t rows, std::size_t columns, const Gaps& gaps = {},
           RowOperation operation = RowOperation::softmax) {
    add_seeded({rows, columns}, {{"operation", static_cast<double>(operation)},
                                 {"values", static_cast<double>(values)},
                                 {"padding", gaps.padding},
                                 {"output-padding", gaps.padding == 0.0 ? 0.0 : gaps.padding + gaps.output},
                                 {"misalign", gaps.misalign}});
  }
  void add_norm(RowValues values, std::size_t rows, std::size_t columns, const Gaps& gaps = {}) {
    add(values, rows, columns, gaps, RowOperation::rms_norm);
  }
};

constexpr RowValues kAllValues[] = {RowValues::random, RowValues::equal,    RowValues::peak, RowValues::rising,
                                    RowValues::masked, RowValues::infinity, RowValues::nan,  RowValues::huge};

void add_quick(RowsCases& cases, const std::vector<dim3>& shapes) {
  // For the first steps of a stage: less than a vector, a warp, and a row of each kind of numbers.
  cases.add(RowValues::equal, 1, 1);
  cases.add(RowValues::equal, 3, 32);
  cases.add(RowValues::peak, 4, 31);
  cases.add(RowValues::random, 5, 20, {3.0});
  cases.use_every_block(shapes);
  for (const RowValues values : kAllValues) cases.add(values, 4, 32);
  cases.use_blocks_in_turn(shapes);
  cases.add(RowValues::equal, 3, 100);
  cases.add(RowValues::random, 3, 1000, {4.0});
  cases.add(RowValues::peak, 6, 1021, {1.0, 1.0});
  cases.add_norm(RowValues::equal, 5, 32);
  cases.add_norm(RowValues::random, 3, 1000);
  cases.add(RowValues::equal, 3, 2048);
  cases.add(RowValues::peak, 3, 3000);
  cases.add(RowValues::rising, 2, 4099, {1.0});
  cases.use_every_block(shapes);
}

void add_hostile(RowsCases& cases, const std::vector<dim3>& shapes) {
  cases.add(RowValues::random, 0, 5);
  cases.add(RowValues::random, 5, 0);
  cases.add(RowValues::random, 140, 4);
  for (const std::size_t columns : Sizes{2, 3, 33, 63, 65, 127, 129, 255, 257, 1023, 1025, 1028, 2047, 2049, 2052}) {
    const RowValues values = kAllValues[cases.turn() % 5];
    cases.add(values, 3 + columns % 4, columns, {static_cast<double>(columns % 3)});
    if (columns % 2 == 1) cases.add_norm(values, 2 + columns % 3, columns, {0.0, static_cast<double>(columns % 4)});
  }
  for (const RowValues values : kAllValues) {
    cases.add(values, 4, 1500, {2.0});
    cases.add_norm(values, 4, 5000, {4.0});
  }
  // The pitch is a multiple of a vector, and the data are not at one.
  for (const double misalign : {1.0, 2.0, 3.0}) cases.add(RowValues::random, 3, 1024, {4.0, misalign});
  // One of the two pitches is no multiple of a vector.
  cases.add(RowValues::random, 3, 1020, {4.0, 0.0, 1.0});
  cases.add(RowValues::random, 3, 1020, {3.0, 0.0, 1.0});
  cases.use_blocks_in_turn(shapes);
  // Rows for several blocks, and more rows than one multiprocessor has at a time.
  cases.add(RowValues::peak, 3, 16'388);
  cases.add_norm(RowValues::random, 2, 17'001, {1.0});
  cases.add(RowValues::random, 21, 2'056);
  cases.add(RowValues::masked, 19, 4'100, {4.0});
  cases.use_every_block(shapes);
  cases.add(RowValues::peak, 1, 70'001);
  cases.add(RowValues::rising, 2, 66'048);
  cases.use_every_block(shapes);
}

void add_full(RowsCases& cases, const std::vector<dim3>& shapes) {
  for (const std::size_t columns : Sizes{1, 5, 31, 100, 1000, 1024, 4095, 8192, 16'384, 20'000, 32'768}) {
    for (const RowValues values : kAllValues) {
      cases.add(values, 7, columns, {static_cast<double>(columns % 3)});
      cases.add_norm(values, 7, columns);
    }
  }
  cases.add(RowValues::peak, 3, 262'144);
  cases.add(RowValues::random, 2, 300'001);
  cases.add(RowValues::equal, 1, 1'000'003);
  cases.add(RowValues::random, 3'000, 3);
  cases.use_blocks_in_turn(shapes);
}

void add_bench(RowsCases& cases, bool simulated) {
  cases.add(RowValues::random, 1024, 1024);
  if (simulated) return;
  for (std::size_t columns = 1024; columns <= 262'144; columns *= 2) {
    cases.add(RowValues::random, (std::size_t{1} << 28) / columns, columns);
  }
}

}  // namespace

std::vector<Settings> RowsProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                         bool simulated) const {
  RowsCases cases(standard);
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
