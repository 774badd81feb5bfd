// SPDX-License-Identifier: MIT
// Cases of the reduction, and what is checked beside the sum.
#include "workbook/reduction_problem.h"

#include <chrono>
#include <cstring>
#include <string>
#include <utility>

namespace workbook {
namespace {

// Bits, not values: a NaN in the input equals itself.
bool is_unchanged(const std::vector<float>& now, const std::vector<float>& before) {
  return before.empty() || std::memcmp(now.data(), before.data(), before.size() * sizeof(float)) == 0;
}

std::string changed_input(const std::vector<float>& now, const std::vector<float>& before) {
  std::size_t i = 0;
  while (std::memcmp(&now[i], &before[i], sizeof(float)) == 0) ++i;
  return "the input in host memory was changed, first at element " + std::to_string(i) +
         "; copy it to the device and work on the copy";
}

OwnOption distribution_option() {
  return {"distribution", "NAME", distribution_names(), name_of(Distribution::uniform), [](const std::string& value) {
            return distribution_named(value) ? std::string() : "is unknown; there are " + distribution_names();
          }};
}

OwnOption misalign_option() {
  return {"misalign", "K", "the numbers begin K floats behind an aligned address, 0 to 3", "0",
          [](const std::string& value) {
            return value.size() == 1 && value[0] >= '0' && value[0] <= '3' ? "" : "is not 0, 1, 2 or 3";
          }};
}

}  // namespace

Settings ReductionProblem::settings(Distribution distribution, std::size_t size, std::uint32_t seed,
                                    unsigned block_size) {
  return {size, seed, block_size, {{"distribution", name_of(distribution)}}};
}

Settings ReductionProblem::defaults() const {
  Settings settings = ReductionProblem::settings(Distribution::uniform, default_size, kDefaultSeed);
  if (takes_misalign()) settings.own["misalign"] = "0";
  return settings;
}

std::vector<OwnOption> ReductionProblem::own_options() const {
  std::vector<OwnOption> options{distribution_option()};
  if (takes_misalign()) options.push_back(misalign_option());
  return options;
}

std::unique_ptr<Case> ReductionProblem::make_case(const Settings& settings) const {
  ReduceFunction reduce = reduce_;
  if (takes_misalign()) {
    const auto given = settings.own.find("misalign");
    const std::size_t misalign = given == settings.own.end() ? 0 : std::stoul(given->second);
    reduce = [on_device = reduce_on_device_, misalign](const float* input, std::size_t n, unsigned block_size,
                                                       GpuTimer& timer) {
      return reduce_with_host_steps(on_device, input, n, block_size, misalign, timer);
    };
  }
  return std::make_unique<ReductionCase>(std::move(reduce), distribution_named(settings.own.at("distribution")).value(),
                                         settings.size, settings.seed);
}

ReductionCase::ReductionCase(ReduceFunction reduce, Distribution distribution, std::size_t n, std::uint32_t seed)
    : reduce_(std::move(reduce)),
      distribution_(distribution),
      seed_(seed),
      values_(make_input(distribution, n, seed)),
      copy_(values_) {
  const auto begin = std::chrono::steady_clock::now();
  reference_ = reference_sum(values_.data(), n);
  const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
  cpu_time_ms_ = taken.count();
}

Outcome ReductionCase::call(unsigned block_size, GpuTimer& timer) {
  const Reduced reduced = reduce_(copy_.data(), copy_.size(), block_size, timer);
  Outcome outcome{{{"sum", reference_.sum, static_cast<double>(reduced.sum), 9}}, check_sum(reduced.sum, reference_)};
  if (outcome.verdict.matches && !reduced.mistake.empty()) {
    outcome.verdict.matches = false;
    outcome.verdict.reason = reduced.mistake;
  }
  if (!is_unchanged(copy_, values_)) {
    outcome.verdict.matches = false;
    outcome.verdict.reason = changed_input(copy_, values_);
  }
  return outcome;
}

std::string ReductionCase::description() const {
  return "Input size: " + std::to_string(values_.size()) + " elements (" + name_of(distribution_) + ", seed " +
         std::to_string(seed_) + ")";
}

}  // namespace workbook
