// SPDX-License-Identifier: MIT
// Numbers with one of their statistics, its reference and its verdict. The forms of the problem differ in the call of
// the stage.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "workbook/problem/reference_case.h"
#include "workbook/problem/sums/statistics/statistics_problem.h"

namespace workbook {

/// The base class of cases with one statistic.
template <typename T>
class NumbersCase : public ReferenceCase {
 public:
  NumbersCase(const StatisticsChoice& choice, std::uint32_t seed, std::vector<T> values)
      : choice_(choice), seed_(seed), values_(std::move(values)) {
    const Piece<T> all{values_.data(), values_.size()};
    reference_ = timed([&] { return reference_statistic<T>(choice.operation, {all}); });
  }

  bool is_empty() const override { return values_.empty(); }
  std::string description() const override {
    return "Input size: " + std::to_string(values_.size()) + " " + name_of(choice_.type) + "s (" +
           name_of(choice_.numbers) + ", seed " + std::to_string(seed_) + ")";
  }

 protected:
  const StatisticsChoice& choice() const { return choice_; }
  const std::vector<T>& values() const { return values_; }

  // The argument `mistake`: another mistake of the call, or "".
  Outcome judged(double got, const std::string& mistake) const {
    Outcome outcome{{{name_of(choice_.operation), reference_.value, got, digits()}}, check_statistic(got, reference_)};
    if (!mistake.empty()) {
      outcome.verdict.matches = false;
      outcome.verdict.reason = mistake;
    }
    return outcome;
  }

 private:
  int digits() const {
    const bool in_double = choice_.operation == Operation::mean || choice_.operation == Operation::deviation;
    return in_double || std::is_same_v<T, double> ? 17 : std::is_same_v<T, float> ? 9 : 10;
  }

  StatisticsChoice choice_;
  std::uint32_t seed_;
  std::vector<T> values_;
  Statistic reference_;
};

}  // namespace workbook
