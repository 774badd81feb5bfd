// SPDX-License-Identifier: MIT
// The cases of integration: every function, and difficult intervals.
#include "workbook/case/case_list.h"
#include "workbook/problem/sums/integration/integration_problem.h"

namespace workbook {
namespace {

constexpr double kTwoPi = 2.0 * 3.14159265358979323846;

struct Interval {
  double from, to;
};
// Begins at -0.3: neither 0 nor the width of an interval hides an index or a rounding.
constexpr Interval kUsual{-0.3, 1.1};
constexpr Interval kHard[] = {
    {0.0, 1.0},        {1.0, 0.0},     // The integral changes its sign.
    {2.0, 2.0},        {-2.0, 2.0},    // The integral is 0; for the sine too, but by cancellation.
    {-7.5, -3.1},      {0.0, kTwoPi},  // A whole period: only rounding errors remain.
    {1e5, 1e5 + 1e-3}, {-1e6, 1e6},    // Points whose own rounding counts.
    {0.0, 1e-12},      {26.0, 27.0},   // Tiny values, with fewer bits or none.
};

class IntegrationCases : public CaseList {
 public:
  using CaseList::CaseList;

  void add(std::size_t n, Function function, const Interval& interval = kUsual) {
    CaseList::add({n}, {{"function", static_cast<double>(function)}, {"from", interval.from}, {"to", interval.to}});
  }
  void add_functions(std::size_t n, const Interval& interval = kUsual) {
    for (const Function function : IntegrationProblem::functions) add(n, function, interval);
  }
};

void add_hostile(IntegrationCases& cases, const std::vector<dim3>& shapes) {
  for (const std::size_t n : Sizes{3, 31, 32, 255, 256, 257, 1025, 4097}) cases.add_functions(n);
  for (const Interval& interval : kHard) cases.add(4099, Function::square, interval);
  cases.add(0, Function::sine);
  cases.use_blocks_in_turn(shapes);
  cases.add(30'011, Function::arc);
  cases.use_every_block(shapes);
  cases.add(300'007, Function::square);  // more intervals than a device has threads at a time
}

void add_full(IntegrationCases& cases, const std::vector<dim3>& shapes) {
  for (const std::size_t n : Sizes{0, 1, 2, 3, 31, 32, 33, 255, 256, 257, 1025, 4097, 65'537, 100'003}) {
    cases.add_functions(n);
  }
  for (const Interval& interval : kHard) {
    for (const std::size_t n : Sizes{1, 2, 33, 4099}) cases.add_functions(n, interval);
  }
  cases.use_every_block(shapes);
  cases.add(1'000'003, Function::arc, {0.0, 1.1});
  cases.add(1'000'003, Function::bell, {0.0, 1.1});
  cases.use_every_block({shapes.front(), shapes.back()});
}

}  // namespace

std::vector<Settings> IntegrationProblem::cases(Purpose purpose, const Settings& standard,
                                                const std::vector<dim3>& shapes, bool simulated) const {
  IntegrationCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      for (const std::size_t n : Sizes{1003, 1, 2, 33}) cases.add(n, Function::sine);
      cases.use_every_block(shapes);
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
      for (std::size_t n = simulated ? 1 << 20 : 1 << 10; n <= (simulated ? 1u << 20 : 1u << 30); n *= 4) {
        cases.CaseList::add({n});
      }
      break;
  }
  return cases.take();
}

}  // namespace workbook
