// SPDX-License-Identifier: MIT
// The cases of heat: extents on both sides of all at which a tile ends.
#include "workbook/case/case_list.h"
#include "workbook/problem/grids/heat/heat_problem.h"

namespace workbook {
namespace {

class HeatCases : public CaseList {
 public:
  using CaseList::CaseList;

  void add(const Sizes& sizes, double steps = 1.0) { add_seeded(sizes, {{"steps", steps}}); }
  void add_uniform(const Sizes& sizes, double rate, double steps = 1.0) {
    add_seeded(sizes, {{"temperatures", 1.0}, {"rate", rate}, {"steps", steps}});
  }
};

void add_planes(HeatCases& cases, Purpose purpose, const std::vector<dim3>& shapes, bool simulated) {
  switch (purpose) {
    case Purpose::quick:  // One tile, then several with all of their sides, then edges.
      cases.add({20, 100});
      cases.add({100, 300});
      cases.add({67, 261});
      cases.add({1, 1});
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
    case Purpose::full:
      cases.add({0, 5});
      cases.add({5, 0});
      for (const std::size_t n : Sizes{2, 3, 4, 31, 32, 33, 34, 64, 65, 127, 128, 129, 130, 131, 132, 133, 257}) {
        cases.add({n, 70});
        cases.add({9, n});
        cases.add({n, n + 2});
      }
      cases.add_uniform({70, 200}, 0.25);
      cases.add_uniform({130, 131}, 0.1);
      cases.use_blocks_in_turn(shapes);
      cases.add({2050, 5});
      cases.add({5, 2050});
      cases.use_every_block(purpose == Purpose::full ? shapes : std::vector<dim3>{shapes.front()});
      if (purpose == Purpose::full) {
        cases.add({70'000, 3});
        cases.add({3, 70'001});
        cases.add_standard();
      }
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      cases.add_uniform({512, 512}, 0.125);
      for (const std::size_t n : Sizes{2048, 4096, 8192, 16'384}) {
        if (!simulated) cases.add_uniform({n, n}, 0.125);
      }
      break;
  }
}

void add_volumes(HeatCases& cases, Purpose purpose, const std::vector<dim3>& shapes, bool simulated) {
  switch (purpose) {
    case Purpose::quick:  // One step first, in one tile and in several.
      cases.add({5, 9, 40});
      cases.add({20, 45, 150});
      cases.add({5, 9, 40}, 2.0);
      cases.add({20, 45, 150}, 2.0);
      cases.add({7, 33, 125}, 3.0);
      cases.add({1, 1, 1}, 2.0);
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
    case Purpose::full:
      cases.add({0, 5, 5});
      cases.add({5, 0, 5}, 2.0);
      cases.add({5, 5, 0}, 2.0);
      for (const std::size_t n : Sizes{2, 3, 4, 5, 16, 20, 21, 33, 41}) {
        cases.add({n, 7, 9}, 2.0);
        cases.add({5, n, 12}, 2.0);
        cases.add({4, 6, 4 * n + 1}, 2.0);
        cases.add({3 + n % 2, n + 2, n}, 1.0);
      }
      for (const std::size_t n : Sizes{119, 120, 121, 122, 124, 128, 129, 241}) cases.add({5, 6, n}, 2.0);
      cases.add({70, 6, 5}, 2.0);
      cases.add({133, 5, 3}, 4.0);
      cases.add({9, 31, 130}, 5.0);
      cases.add_uniform({9, 30, 61}, 1.0 / 6.0, 2.0);
      cases.add_uniform({9, 21, 71}, 0.1, 7.0);
      cases.use_blocks_in_turn(shapes);
      if (purpose == Purpose::full) {
        cases.add({300, 70, 250}, 2.0);
        cases.add({40, 300, 500}, 3.0);
        cases.add_standard();
      }
      break;
    case Purpose::lesson:
      cases.add_standard();
      break;
    case Purpose::bench:
      cases.add_uniform({24, 64, 64}, 0.125, 2.0);
      if (simulated) break;
      for (const std::size_t n : Sizes{128, 256, 512, 768}) {
        cases.add_uniform({n, n, n}, 0.125, 1.0);
        cases.add_uniform({n, n, n}, 0.125, 2.0);
      }
      break;
  }
}

}  // namespace

std::vector<Settings> HeatProblem::cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                                         bool simulated) const {
  HeatCases cases(standard);
  if (is_plane()) {
    add_planes(cases, purpose, shapes, simulated);
  } else {
    add_volumes(cases, purpose, shapes, simulated);
  }
  return cases.take();
}

}  // namespace workbook
