// SPDX-License-Identifier: MIT
// A problem that a test makes up: each call of a case is a call of the test's function.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/student/gpu_timer.h"

namespace workbook {

class FakeProblem : public Problem {
 public:
  using Function = std::function<Outcome(const Settings& settings, const Call& call, GpuTimer& timer)>;
  explicit FakeProblem(Function function) : function_(std::move(function)) {}

  std::string name() const override { return "fake"; }
  std::string help() const override { return "Calls a function of a test."; }
  std::vector<Extent> extents() const override { return {{"rows", "of it", 20, 100}, {"columns", "of it", 30, 200}}; }
  std::vector<Option> options() const override {
    return {{"colour", "of all", {"red", "green"}, 1.0}, {"weight", "of one", {}, 0.5, -1.0, 2.0}};
  }
  BlockRule block_rule() const override { return powers_of_two(32, 128, 64); }
  Work work(const Settings& settings) const override {
    const auto n = static_cast<double>(settings.sizes[0] * settings.sizes[1]);
    return {"things", n, 4.0 * n, 8.0 * n, 2.0 * n};
  }
  double device_bytes(const Settings& settings) const override { return 12.0 * work(settings).elements; }

  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override {
    const auto with_sizes = [&standard](std::size_t rows, std::size_t columns) {
      Settings settings = standard;
      settings.sizes = {rows, columns};
      return settings;
    };
    switch (purpose) {
      case Purpose::quick:
        return with_blocks({with_sizes(1, 2), with_sizes(3, 4)}, shapes);
      case Purpose::hostile:
        return {with_sizes(0, 0)};
      case Purpose::full:
        if (standard.options.at("colour") == 0.0) return {};  // red: a problem that forgot them
        return {standard};
      case Purpose::lesson:
        return {with_sizes(5, 6)};
      case Purpose::bench:
        break;
    }
    return simulated ? std::vector<Settings>{with_sizes(1, 1)}
                     : std::vector<Settings>{with_sizes(7, 7), with_sizes(8, 9)};
  }
  std::unique_ptr<workbook::Case> make_case(const Settings& settings) const override {
    ++made_;
    return std::make_unique<Case>(function_, settings);
  }

  /// How many cases were made.
  int made() const { return made_; }

 private:
  class Case final : public workbook::Case {
   public:
    Case(const Function& function, Settings settings) : function_(function), settings_(std::move(settings)) {}
    Outcome call(const Call& call, GpuTimer& timer) override { return function_(settings_, call, timer); }
    bool is_empty() const override { return settings_.sizes[0] == 0; }
    std::string description() const override { return "Made up"; }
    double cpu_time_ms() const override { return 0.25; }

   private:
    const Function& function_;
    Settings settings_;
  };

  Function function_;
  mutable int made_ = 0;
};

/// What a function that is right returns.
inline Outcome right() {
  Outcome outcome;
  outcome.verdict.matches = true;
  return outcome;
}
inline Outcome wrong(const std::string& reason) {
  Outcome outcome;
  outcome.verdict.reason = reason;
  return outcome;
}

/// A timer that was used as it should be.
inline void touch(GpuTimer& timer) {
  timer.start();
  timer.stop();
}

}  // namespace workbook
