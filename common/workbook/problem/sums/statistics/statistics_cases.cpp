// SPDX-License-Identifier: MIT
// The cases of statistics: every operation of every type, with difficult numbers for each.
#include <utility>

#include "workbook/case/case_list.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {
namespace {

constexpr NumberType kTypes[] = {NumberType::floats, NumberType::doubles, NumberType::ints};

class StatisticsCases : public CaseList {
 public:
  using CaseList::CaseList;

  Settings& add(std::size_t n, Operation operation, NumberType type, Numbers numbers) {
    return CaseList::add({n}, {{"operation", static_cast<double>(operation)},
                               {"type", static_cast<double>(type)},
                               {"distribution", static_cast<double>(numbers)}});
  }
  // Every operation of every type.
  void add_tasks(std::size_t n, Numbers numbers) {
    for (const Operation operation : StatisticsProblem::operations) {
      for (const NumberType type : kTypes) add(n, operation, type, numbers);
    }
  }
  void add_tasks(std::size_t n, Numbers numbers, std::uint32_t seed) {
    const std::size_t first = turn();
    add_tasks(n, numbers);
    for (std::size_t i = first; i < turn(); ++i) rows()[i].seed = seed;
  }
};

void add_quick(StatisticsCases& cases, const std::vector<dim3>& shapes) {
  for (const std::size_t n : Sizes{1003, 1, 2, 33, 257, 4097}) cases.CaseList::add({n});
  cases.use_every_block(shapes);
  for (const auto& [n, numbers] : {std::pair{1003, Numbers::uniform}, std::pair{4097, Numbers::negative}}) {
    cases.add_tasks(static_cast<std::size_t>(n), numbers);
    cases.use_blocks_in_turn(shapes);
  }
}

void add_hostile(StatisticsCases& cases, const std::vector<dim3>& shapes, const Settings& standard) {
  for (const std::size_t n : Sizes{0, 1, 3, 31, 65, 255, 513, 1025, 16'389}) {
    cases.add_tasks(n, Numbers::signed_uniform);
    cases.use_blocks_in_turn(shapes);
  }
  for (const Numbers numbers : {Numbers::exact, Numbers::shifted, Numbers::nan, Numbers::infinite}) {
    cases.add_tasks(4099, numbers);
    cases.use_blocks_in_turn(shapes);
  }
  // A NaN at any place. An operator that drops a NaN on one side only passes with many of the seeds.
  for (const Operation operation : {Operation::minimum, Operation::maximum}) {
    for (std::uint32_t seed = 0; seed < 12; ++seed) {
      cases.add(1000, operation, standard.choice<NumberType>("type"), Numbers::nan).seed = seed;
    }
    cases.use_blocks_in_turn(shapes);
  }
  cases.CaseList::add({100'003});
  cases.use_every_block(shapes);
}

void add_large(StatisticsCases& cases, const std::vector<dim3>& shapes) {
  // Each operation and type once, on both sides of a power of two. All combinations would take hours.
  constexpr std::size_t kSize = StatisticsProblem::standard_size;
  for (std::size_t i = 0; i < StatisticsProblem::operations.size(); ++i) {
    const Operation operation = StatisticsProblem::operations[i];
    const Numbers numbers = operation == Operation::deviation || operation == Operation::mean
                                ? Numbers::shifted
                                : (i % 2 == 0 ? Numbers::exact : Numbers::signed_uniform);
    cases.add(kSize + i % 2 * 3, operation, kTypes[i % 3], numbers);
  }
  cases.add(kSize, Operation::deviation, NumberType::floats, Numbers::shifted);
  cases.use_blocks_in_turn(shapes);
}

void add_full(StatisticsCases& cases, const std::vector<dim3>& shapes, std::uint32_t standard_seed) {
  for (const std::size_t n : Sizes{0, 1, 2, 31, 32, 33, 255, 257, 1025, 4097, 16'389, 100'003}) {
    for (const Numbers numbers : {Numbers::uniform, Numbers::signed_uniform, Numbers::exact, Numbers::constant,
                                  Numbers::shifted, Numbers::negative}) {
      for (const std::uint32_t seed : {standard_seed, 1u}) {
        cases.add_tasks(n, numbers, seed);
      }
    }
  }
  // From two numbers on: see statistics.h for the deviation of one.
  for (const Numbers numbers : {Numbers::nan, Numbers::infinite}) {
    for (const std::size_t n : Sizes{2, 33, 4097, 100'003}) cases.add_tasks(n, numbers);
  }
  cases.use_every_block(shapes);
  add_large(cases, shapes);
}

}  // namespace

std::vector<Settings> StatisticsProblem::cases(Purpose purpose, const Settings& standard,
                                               const std::vector<dim3>& shapes, bool simulated) const {
  if (statistics() == nullptr && purpose != Purpose::lesson && purpose != Purpose::bench) {
    return reduction_cases(purpose, standard, shapes, simulated);
  }
  StatisticsCases cases(standard);
  switch (purpose) {
    case Purpose::quick:
      add_quick(cases, shapes);
      break;
    case Purpose::hostile:
      add_hostile(cases, shapes, standard);
      break;
    case Purpose::full:
      add_full(cases, shapes, standard.seed);
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
