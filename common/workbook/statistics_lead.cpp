// SPDX-License-Identifier: MIT
// Which elements a statistic lost, or counted more than once. It is asked for inputs in which one element stands out,
// each element in turn. What that says is told only if it also predicts the result that does not match.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <type_traits>
#include <utility>

#include "workbook/figures.h"
#include "workbook/statistics_problem.h"
#include "workbook/tally.h"

namespace workbook {
namespace {

constexpr std::size_t kMostElements = 4096;

// All numbers are `ground` but for one that is `raised`, so that the result tells whether, or how often, that one went
// into it.
struct Probe {
  double ground;
  double raised;
};

Probe probe_of(Operation operation) {
  switch (operation) {
    case Operation::sum:
    case Operation::mean:
      return {0.0, 1.0};
    case Operation::product:
    case Operation::deviation:
      return {1.0, 2.0};
    case Operation::minimum:
      return {2.0, 1.0};  // above 0: a minimum that begins with 0 says so
    case Operation::maximum:
      return {-2.0, -1.0};
  }
  return {0.0, 1.0};
}

// How often the raised number went into `got`; NaN where that cannot be. Mean and deviation do not tell once from
// twice.
double times_in(double got, double on_ground, Operation operation) {
  switch (operation) {
    case Operation::sum:
      return got;
    case Operation::product:
      return got > 0.0 ? std::log2(got) : std::nan("");
    default:
      return std::isnan(got) ? got : got == on_ground ? 0.0 : 1.0;
  }
}

// What the partial sums say of elements that the sum has lost. In `block_of`: the first block whose partial sum has an
// element; -1: none.
struct Blocks {
  std::vector<int> block_of;
  bool are_first = true;

  void look(const PartialSums& partial_sums) {
    const auto found = std::find(partial_sums.of_blocks.begin(), partial_sums.of_blocks.end(), 1.0f);
    block_of.push_back(
        found == partial_sums.of_blocks.end() ? -1 : static_cast<int>(found - partial_sums.of_blocks.begin()));
    are_first = are_first && partial_sums.are_first;
  }

  std::string words(const Tally& tally) const {
    std::size_t lost = 0, kept = 0, first = block_of.size();
    for (std::size_t i = 0; i < block_of.size(); ++i) {
      if (tally.times[i] == 1.0) continue;
      if (tally.times[i] != 0.0) return "";
      first = std::min(first, i);
      ++lost;
      kept += block_of[i] >= 0 ? 1 : 0;
    }
    if (lost == 0) return "";
    if (kept == lost) return " What is lost is in the partial sums: look at what adds these up.";
    if (kept > 0 || !are_first) return "";
    std::string text = " What is lost is missing in the partial sums already";
    // The block that should have had it, if there is one, has its neighbour.
    const auto has_block = [](int block) { return block >= 0; };
    const auto begin = block_of.begin();
    auto neighbour = std::find_if(std::make_reverse_iterator(begin + first), block_of.rend(), has_block).base();
    const auto owner = neighbour != begin ? neighbour - 1 : std::find_if(begin + first, block_of.end(), has_block);
    if (owner == block_of.end()) return text + ".";
    const auto begin_of_block = std::find(begin, block_of.end(), *owner);
    const auto end_of_block = std::find(block_of.rbegin(), block_of.rend(), *owner).base();
    if (std::count(begin, block_of.end(), *owner) != end_of_block - begin_of_block) return text + ".";
    return text + ": that of block " + std::to_string(*owner) + " has elements " +
           std::to_string(begin_of_block - begin) + " to " + std::to_string(end_of_block - begin - 1) + ".";
  }
};

// Whether it must be computed in double.
template <typename T>
bool is_of_doubles(Operation operation) {
  return std::is_same_v<T, double> || operation == Operation::mean || operation == Operation::deviation;
}

bool is_count(double times) { return times >= 0.0 && times <= 1e6 && times == std::trunc(times); }

// What comes of these numbers when each counts so often.
template <typename T>
Statistic predicted(Operation operation, const std::vector<T>& numbers, const Tally& tally) {
  std::vector<Piece<T>> pieces;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (tally.times[i] > 0.0) pieces.push_back({&numbers[i], 1, static_cast<std::size_t>(tally.times[i])});
  }
  return reference_statistic<T>(operation, pieces);
}

template <typename T>
std::string lead_of(const StatisticsProblem& problem, const Settings& settings, const Measure& measure) {
  const StatisticsChoice choice = StatisticsProblem::choice(settings);
  const auto measured = [&](std::vector<T> numbers, PartialSums* partial_sums = nullptr) {
    return measure(*problem.case_of<T>(settings, std::move(numbers), partial_sums));
  };
  const Probe probe = probe_of(choice.operation);
  std::vector<T> numbers(settings.size(), static_cast<T>(probe.ground));
  const double on_ground = measured(numbers);
  if (!std::isfinite(on_ground)) return "";
  const double wanted = reference_statistic<T>(choice.operation, {{numbers.data(), numbers.size()}}).value;
  const std::string name = name_of(choice.operation);
  if (on_ground != wanted) {
    return "Where every number is " + plain(probe.ground, 9) + ", the " + name + " is " + plain(on_ground, 9) +
           ": something went into it that is none of the numbers.";
  }
  Tally tally{"element", name, {}, {}, settings.block.x};
  Blocks blocks;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PartialSums partial_sums;
    numbers[i] = static_cast<T>(probe.raised);
    tally.times.push_back(times_in(measured(numbers, &partial_sums), on_ground, choice.operation));
    numbers[i] = static_cast<T>(probe.ground);
    if (!is_count(tally.times.back())) return "";
    blocks.look(partial_sums);
  }
  numbers = make_numbers<T>(choice.numbers, choice.operation, settings.size(), settings.seed);
  if (is_right(tally)) {
    const double expected = reference_statistic<T>(choice.operation, {{numbers.data(), numbers.size()}}).value;
    return is_of_doubles<T>(choice.operation) && is_as_good_as_a_float(expected, measured(numbers)) ? kIsItInFloat : "";
  }
  const Statistic prediction = predicted(choice.operation, numbers, tally);
  for (int again = 0; again < 2; ++again) {  // the same each time
    if (!check_statistic(measured(numbers), prediction).matches) return "";
  }
  return words_of(tally) + blocks.words(tally);
}

}  // namespace

std::string StatisticsProblem::lead(const Settings& settings, const Measure& measure) const {
  if (settings.size() == 0 || settings.size() > kMostElements) return "";
  return with_type(choice(settings).type, [&](auto zero) { return lead_of<decltype(zero)>(*this, settings, measure); });
}

}  // namespace workbook
