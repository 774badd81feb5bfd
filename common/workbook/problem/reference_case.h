// SPDX-License-Identifier: MIT
// What cases of all problems have in common: a reference that takes time, and a result that is right but for what the
// call did besides.
#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "workbook/case/problem.h"

namespace workbook {

class ReferenceCase : public Case {
 public:
  double cpu_time_ms() const override { return cpu_time_ms_; }

 protected:
  /// Computes the reference: what compute() returns. Its time is that of the CPU.
  template <typename Compute>
  auto timed(Compute compute) {
    const auto begin = std::chrono::steady_clock::now();
    auto result = compute();
    const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
    cpu_time_ms_ = taken.count();
    return result;
  }

  /// Refuses a result that matches for a mistake, DeviceCall::mistake() for instance; "" is none.
  static void refuse(Verdict& verdict, std::string mistake) {
    if (!verdict.matches || mistake.empty()) return;
    verdict.matches = false;
    verdict.reason = std::move(mistake);
  }

 private:
  double cpu_time_ms_ = 0.0;
};

}  // namespace workbook
