// SPDX-License-Identifier: MIT
#include "workbook/problem/sums/statistics/statistic_case.h"

#include <string>
#include <utility>

#include "workbook/case/device_call.h"
#include "workbook/case/ticket.h"
#include "workbook/problem/sums/statistics/numbers_case.h"

namespace workbook {
namespace {

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

}  // namespace

template <typename T>
std::unique_ptr<Case> make_statistic_case(StatisticOnDevice<T> on_device, const StatisticsChoice& choice,
                                          std::uint32_t seed, std::vector<T> values, PartialSums* partial_sums) {
  return std::make_unique<StatisticCase<T>>(on_device, choice, seed, std::move(values), partial_sums);
}

template std::unique_ptr<Case> make_statistic_case(StatisticOnDevice<float>, const StatisticsChoice&, std::uint32_t,
                                                   std::vector<float>, PartialSums*);
template std::unique_ptr<Case> make_statistic_case(StatisticOnDevice<double>, const StatisticsChoice&, std::uint32_t,
                                                   std::vector<double>, PartialSums*);
template std::unique_ptr<Case> make_statistic_case(StatisticOnDevice<int>, const StatisticsChoice&, std::uint32_t,
                                                   std::vector<int>, PartialSums*);

}  // namespace workbook
