// SPDX-License-Identifier: MIT
// The cases of the sum of floats: no number, one, and both sides of a warp, of a block and of several blocks.
// Other sizes are on both sides of what stage 07 spreads over small blocks. One needs three passes. No block divides
// 65,539 or 1,000,003.
#include "workbook/case/case_list.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {
namespace {

class ReductionCases : public CaseList {
 public:
  using CaseList::CaseList;

  Settings& add(std::size_t n, Numbers numbers, std::size_t misalign = 0) {
    return CaseList::add({n},
                         {{"distribution", static_cast<double>(numbers)}, {"misalign", static_cast<double>(misalign)}});
  }
};

void add_hostile(ReductionCases& cases, const std::vector<dim3>& shapes, bool can_misalign) {
  for (const std::size_t n : Sizes{0, 3, 31, 32, 63, 65, 127, 255, 256, 511, 513, 1023, 1025, 2049, 8191, 16'385}) {
    cases.add(n, Numbers::exact).seed = static_cast<std::uint32_t>(n);
    cases.add(n, Numbers::one_hot).seed = static_cast<std::uint32_t>(n);
  }
  if (can_misalign) {
    for (const std::size_t n : Sizes{1, 2, 3, 5, 4095, 4097}) {
      for (const std::size_t misalign : Sizes{1, 2, 3}) cases.add(n, Numbers::exact, misalign);
    }
  }
  cases.add(1003, Numbers::nan);
  cases.add(1003, Numbers::infinity);
  cases.add(4097, Numbers::signed_uniform);
  cases.add(4097, Numbers::constant);
  cases.use_blocks_in_turn(shapes);
  cases.add(65'539, Numbers::exact);
  cases.add(100'003, Numbers::one_hot);
  cases.use_every_block(shapes);
}

void add_full(ReductionCases& cases, const std::vector<dim3>& shapes, std::uint32_t standard_seed, bool simulated) {
  // From this size on the simulator gets one seed: a second one only changes the numbers, and takes a second.
  constexpr std::size_t kOneSeed = 65'539;
  for (const std::size_t n : Sizes{0, 1, 2, 31, 32, 33, 255, 256, 257, 1023, 1025, 4097, 65'539, 1'000'003}) {
    for (const Numbers numbers :
         {Numbers::uniform, Numbers::signed_uniform, Numbers::exact, Numbers::one_hot, Numbers::constant}) {
      for (const std::uint32_t seed : {standard_seed, 1u, 2u}) {
        if (!simulated || n < kOneSeed || seed == standard_seed) cases.add(n, numbers).seed = seed;
      }
    }
  }
  for (const Numbers numbers : {Numbers::nan, Numbers::infinity, Numbers::infinities}) {
    for (const std::size_t n : Sizes{1, 33, 4097, 100'003}) cases.add(n, numbers);
  }
  cases.use_every_block(shapes);
  // Each distribution, on both sides of a power of two, each with another block. All combinations would take hours.
  constexpr std::size_t n = StatisticsProblem::standard_size;
  cases.add(n, Numbers::exact);
  cases.add(n + 3, Numbers::signed_uniform);
  cases.add(n + 3, Numbers::constant);
  cases.add(n + 3, Numbers::one_hot);
  cases.add(n, Numbers::uniform);
  cases.use_blocks_in_turn(shapes);
}

}  // namespace

std::vector<Settings> StatisticsProblem::reduction_cases(Purpose purpose, const Settings& standard,
                                                         const std::vector<dim3>& shapes, bool simulated) const {
  ReductionCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      for (const std::size_t n : Sizes{1003, 1, 2, 33, 257, 4097}) cases.add(n, Numbers::exact);
      cases.add(4097, Numbers::uniform);
      cases.use_every_block(shapes);
      break;
    case Purpose::hostile:
      add_hostile(cases, shapes, std::holds_alternative<ReduceOnDevice>(functions_));
      break;
    case Purpose::full:
      add_full(cases, shapes, standard.seed, simulated);
      break;
    case Purpose::lesson:
    case Purpose::bench:
      break;
  }
  return cases.take();
}

}  // namespace workbook
