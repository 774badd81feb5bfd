// SPDX-License-Identifier: MIT
// The common parts of all cases: a reference with its time, and a verdict that also refuses other mistakes of the
// call.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "workbook/case/problem.h"

namespace workbook {

/// The base class of cases with a timed reference.
class ReferenceCase : public Case {
 public:
  double cpu_time_ms() const override { return cpu_time_ms_; }

 protected:
  /// Computes the reference with compute(). The time of this call is the CPU time.
  template <typename Compute>
  auto timed(Compute compute) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = compute();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    cpu_time_ms_ = taken.count();
    return result;
  }

  /// Refuses a result that matches because of another mistake, for example DeviceCall::mistake(). "" means no mistake.
  static void refuse(Verdict& verdict, std::string mistake) {
    if (!verdict.matches || mistake.empty()) return;
    verdict.matches = false;
    verdict.reason = std::move(mistake);
  }
  /// Adds what a wrong result comes down to, a clause such as "; the last term is missing". It is the result's pattern,
  /// where there is none: a small case may not show it, and then a larger one is reported beside it.
  static void add_known_mistake(Verdict& verdict, const std::string& clause) {
    if (clause.empty()) return;
    verdict.reason += clause;
    if (!verdict.pattern.empty()) return;
    verdict.pattern = clause.substr(2);
    verdict.pattern_name = "known-mistake";
  }

 private:
  double cpu_time_ms_ = 0.0;
};

}  // namespace workbook
