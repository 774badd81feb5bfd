// SPDX-License-Identifier: MIT
// The options and the limits of sums and other statistics.
#include "workbook/problem/sums/statistics/statistics_problem.h"

#include <type_traits>
#include <utility>

#include "workbook/case/changed_element.h"
#include "workbook/problem/sums/statistics/reduction_case.h"
#include "workbook/problem/sums/statistics/statistic_case.h"

namespace workbook {
namespace {

std::vector<std::string> operation_names() {
  std::vector<std::string> names;
  names.reserve(StatisticsProblem::operations.size());
  for (const Operation operation : StatisticsProblem::operations) names.emplace_back(name_of(operation));
  return names;
}

}  // namespace

const char* name_of(NumberType type) {
  switch (type) {
    case NumberType::floats:
      return "float";
    case NumberType::doubles:
      return "double";
    case NumberType::ints:
      return "int";
  }
  return "unknown";
}

StatisticsChoice StatisticsProblem::choice(const Settings& settings) {
  StatisticsChoice choice;
  choice.numbers = settings.choice<Numbers>("distribution");
  if (settings.options.count("operation") > 0) {
    choice.operation = settings.choice<Operation>("operation");
    choice.type = settings.choice<NumberType>("type");
  }
  if (settings.options.count("misalign") > 0) choice.misalign = settings.choice<std::size_t>("misalign");
  return choice;
}

std::string StatisticsProblem::help() const {
  return statistics() != nullptr ? "Computes a statistic on the device and compares with the CPU."
                                 : "Sums an input on the device and compares with the CPU.";
}

std::vector<Extent> StatisticsProblem::extents() const {
  constexpr std::size_t kLargest = std::size_t{1} << 48;
  return {{"size", statistics() != nullptr ? "how many numbers" : "how many floats", standard_size, kLargest}};
}

std::vector<Option> StatisticsProblem::options() const {
  std::vector<Option> options;
  if (statistics() != nullptr) {
    options.push_back({"operation", "what is computed", operation_names(), static_cast<double>(Operation::deviation)});
    options.push_back({"type", "of the numbers", {"float", "double", "int"}});
  }
  options.push_back({"distribution", "of the numbers", numbers_names()});
  if (std::holds_alternative<ReduceOnDevice>(functions_)) {
    options.push_back({"misalign", "the numbers begin K floats behind an aligned address", {}, 0.0, 0.0, 3.0, true});
  }
  return options;
}

Work StatisticsProblem::work(const Settings& settings) const {
  const StatisticsChoice chosen = choice(settings);
  const auto n = static_cast<double>(settings.size());
  const double element_bytes = with_type(chosen.type, [](auto zero) { return static_cast<double>(sizeof zero); });
  return {std::string(name_of(chosen.type)) + "s", n, n * element_bytes, 0.0, n};
}

// The numbers, and at most the 32 bytes of each block of 32 threads.
double StatisticsProblem::device_bytes(const Settings& settings) const {
  return work(settings).bytes_read + static_cast<double>(settings.size()) + 4096.0;
}

std::unique_ptr<Case> StatisticsProblem::make_case(const Settings& settings) const {
  const StatisticsChoice chosen = choice(settings);
  return with_type(chosen.type, [&](auto zero) {
    using T = decltype(zero);
    std::vector<T> numbers = make_numbers<T>(chosen.numbers, chosen.operation, settings.size(), settings.seed);
    return case_of<T>(settings, with_change(std::move(numbers), settings.changed));
  });
}

template <typename T>
std::unique_ptr<Case> StatisticsProblem::case_of(const Settings& settings, std::vector<T> numbers,
                                                 PartialSums* partial_sums) const {
  const StatisticsChoice chosen = choice(settings);
  if constexpr (std::is_same_v<T, float>) {
    if (const auto* reduce = std::get_if<Reduce>(&functions_)) {
      return make_reduction_case(*reduce, chosen, settings.seed, std::move(numbers));
    }
    if (const auto* reduce = std::get_if<ReduceOnDevice>(&functions_)) {
      return make_reduction_case(*reduce, chosen, settings.seed, std::move(numbers), partial_sums);
    }
  }
  return make_statistic_case<T>(statistics()->of(T{}), chosen, settings.seed, std::move(numbers), partial_sums);
}

template std::unique_ptr<Case> StatisticsProblem::case_of(const Settings&, std::vector<float>, PartialSums*) const;
template std::unique_ptr<Case> StatisticsProblem::case_of(const Settings&, std::vector<double>, PartialSums*) const;
template std::unique_ptr<Case> StatisticsProblem::case_of(const Settings&, std::vector<int>, PartialSums*) const;

}  // namespace workbook
