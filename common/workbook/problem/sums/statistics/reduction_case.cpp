// SPDX-License-Identifier: MIT
#include "workbook/problem/sums/statistics/reduction_case.h"

#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "workbook/case/device_call.h"
#include "workbook/case/ticket.h"
#include "workbook/problem/sums/statistics/numbers_case.h"

namespace workbook {
namespace {

// Stage 01: the student writes the host's steps.
class HostReductionCase final : public NumbersCase<float> {
 public:
  HostReductionCase(Reduce reduce, const StatisticsChoice& choice, std::uint32_t seed, std::vector<float> values)
      : NumbersCase(choice, seed, std::move(values)), reduce_(reduce), copy_(this->values()) {}

  Outcome call(const Call& call, GpuTimer& timer) override {
    const std::size_t bytes = copy_.size() * sizeof(float);
    if (call.places != nullptr) call.places->push_back({"the input", nullptr, bytes, bytes, false});
    const float sum = reduce_(copy_.data(), copy_.size(), call.block.x, timer);
    return judged(static_cast<double>(sum), changed_input());
  }

 private:
  // Compares bits and not values, so that a NaN in the input equals itself.
  std::string changed_input() const {
    for (std::size_t i = 0; i < copy_.size(); ++i) {
      if (std::memcmp(&copy_[i], &values()[i], sizeof(float)) == 0) continue;
      return "the input in host memory was changed, first at element " + std::to_string(i) +
             "; copy it to the device and work on the copy";
    }
    return "";
  }

  Reduce reduce_;
  std::vector<float> copy_;  // the function's input
};

class ReductionCase final : public NumbersCase<float> {
 public:
  ReductionCase(ReduceOnDevice reduce, const StatisticsChoice& choice, std::uint32_t seed, std::vector<float> values,
                PartialSums* partial_sums)
      : NumbersCase(choice, seed, std::move(values)), reduce_(reduce), partial_sums_(partial_sums) {}

  Outcome call(const Call& call, GpuTimer& timer) override {
    const std::size_t n = values().size();
    if (n == 0) return judged(0.0, "");
    DeviceCall steps(call, timer);
    float* const numbers = steps.input("the input", values(), line(n, choice().misalign), true);
    const std::size_t blocks = (n + call.block.x - 1) / call.block.x;
    const Ticket ticket(steps.stream());
    const Workspace workspace{steps.scratch<float>("the partial sums", blocks),
                              steps.scratch<float>("the next partial sums", blocks), ticket.data(), steps.stream()};
    const float* sum = nullptr;
    steps.launch([&] { sum = reduce_(numbers, n, call.block.x, workspace); });
    const float got = read_back(sum, steps.stream());
    if (partial_sums_ != nullptr) look_at_partial_sums(steps, workspace.partial_sums, blocks, numbers, sum);
    const std::string mistake = ticket.mistake();
    return judged(static_cast<double>(got), mistake.empty() ? steps.mistake() : mistake);
  }

 private:
  void look_at_partial_sums(DeviceCall& steps, const float* sums, std::size_t blocks, const float* numbers,
                            const float* sum) {
    const std::vector<float> left = steps.copy_back(sums);
    partial_sums_->of_blocks.assign(left.begin(), left.end());
    partial_sums_->is_sum_apart = std::less<>()(sum, sums) || !std::less<>()(sum, sums + blocks);
    partial_sums_->is_in_place = steps.copy_back(numbers) != values();
  }

  ReduceOnDevice reduce_;
  PartialSums* partial_sums_;
};

}  // namespace

std::unique_ptr<Case> make_reduction_case(Reduce reduce, const StatisticsChoice& choice, std::uint32_t seed,
                                          std::vector<float> values) {
  return std::make_unique<HostReductionCase>(reduce, choice, seed, std::move(values));
}

std::unique_ptr<Case> make_reduction_case(ReduceOnDevice reduce, const StatisticsChoice& choice, std::uint32_t seed,
                                          std::vector<float> values, PartialSums* partial_sums) {
  return std::make_unique<ReductionCase>(reduce, choice, seed, std::move(values), partial_sums);
}

}  // namespace workbook
