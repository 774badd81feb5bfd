// SPDX-License-Identifier: MIT
// One statistic by a stage's statistic_on_device().
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "workbook/case/device_call.h"
#include "workbook/case/ticket.h"
#include "workbook/problem/sums/statistics/numbers_case.h"

namespace workbook {

template <typename T>
class StatisticCase final : public NumbersCase<T> {
 public:
  StatisticCase(StatisticOnDevice<T> on_device, const StatisticsChoice& choice, std::uint32_t seed,
                std::vector<T> values, PartialSums* partial_sums)
      : NumbersCase<T>(choice, seed, std::move(values)), on_device_(on_device), partial_sums_(partial_sums) {}

  Outcome call(const Call& call, GpuTimer& timer) override {
    const std::size_t n = this->values().size();
    DeviceCall steps(call, timer);
    const T* const numbers = steps.input("the input", this->values(), line(n));
    double* const result = steps.output<double>("the result", line(1));
    const Ticket ticket(steps.stream());
    auto* const partials = steps.scratch<T>("the partials", partials_bytes(n, call.block.x) / sizeof(T));
    const StatisticsWorkspace workspace{partials, ticket.data(), result, steps.stream()};
    steps.launch([&] { on_device_(this->choice().operation, numbers, n, call.block.x, workspace); });
    const double got = steps.copy_back(result)[0];
    if (partial_sums_ != nullptr) {
      const std::vector<T> left = steps.copy_back(partials);
      partial_sums_->of_blocks.assign(left.begin(), left.end());
    }
    const std::string mistake = ticket.mistake();
    return this->judged(got, mistake.empty() ? steps.mistake() : mistake);
  }

 private:
  StatisticOnDevice<T> on_device_;
  PartialSums* partial_sums_;
};

}  // namespace workbook
