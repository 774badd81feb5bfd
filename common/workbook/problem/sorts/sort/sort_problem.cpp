// SPDX-License-Identifier: MIT
// One sort, and a check that the result is in the right place; the options and the limits.
#include "workbook/problem/sorts/sort/sort_problem.h"

#include <algorithm>
#include <utility>

#include "workbook/case/changed_element.h"
#include "workbook/case/device_call.h"
#include "workbook/problem/reference_case.h"

namespace workbook {
namespace {

class SortCase final : public ReferenceCase {
 public:
  // The argument looks_at_workspace: the first call's value is 1 where the sorted keys are in the workspace alone, else
  // 0. On the simulator this may read unwritten memory, so a run with checks must not use it.
  SortCase(SortPromise promise, SortOnDevice on_device, const Settings& settings, bool looks_at_workspace)
      : on_device_(on_device), choice_(settings), seed_(settings.seed), looks_at_workspace_(looks_at_workspace) {
    const std::size_t n = settings.size();
    task_ = {choice_.type, {make_keys(choice_.keys, choice_.type, n, seed_), {}}, promise.is_stable};
    task_.input.keys = with_change(std::move(task_.input.keys), settings.changed);
    for (std::size_t i = 0; choice_.values != Values::none && i < n; ++i) {
      task_.input.values.push_back(static_cast<std::uint32_t>(choice_.values == Values::places ? i : n - 1 - i));
    }
    expected_ = timed([this] { return sorted(task_); });
  }

  Outcome call(const Call& call, GpuTimer& timer) override {
    const std::size_t n = task_.input.keys.size();
    DeviceCall steps(call, timer);
    const Layout in = line(n, choice_.misalign), out = line(n, choice_.output_misalign);
    const bool has_values = choice_.values != Values::none;
    const ConstRecords input{steps.input("the keys", task_.input.keys, in),
                             has_values ? steps.input("the values", task_.input.values, in) : nullptr};
    const Records output{steps.output<std::uint32_t>("the sorted keys", out),
                         has_values ? steps.output<std::uint32_t>("the sorted values", out) : nullptr};
    const SortWorkspace workspace{{steps.scratch<std::uint32_t>("workspace.records.keys", n),
                                   has_values ? steps.scratch<std::uint32_t>("workspace.records.values", n) : nullptr},
                                  steps.scratch<unsigned char>("workspace.storage", sort_storage_bytes(n))};
    Outcome outcome;
    HostRecords first;
    for (int i = 0; i < choice_.calls; ++i) {
      if (i > 0) {
        steps.renew(output.keys);
        steps.renew(output.values);
      }
      steps.launch([&] { on_device_(choice_.type, input, output, n, workspace, call.block.x, steps.stream()); });
      const HostRecords got{steps.copy_back(output.keys),
                            has_values ? steps.copy_back(output.values) : std::vector<std::uint32_t>{}};
      if (i > 0 && got.keys == first.keys && got.values == first.values) continue;
      outcome.verdict = check_sort(task_, expected_, got, 0x01010101u * call.poison);
      if (looks_at_workspace_) {
        reason_ = outcome.verdict.reason;
        const bool is_there = got.keys != expected_.keys && steps.copy_back(workspace.records.keys) == expected_.keys;
        outcome.values = {{"sorted keys in the workspace", 1.0, is_there ? 1.0 : 0.0}};
        return outcome;
      }
      std::string& reason = outcome.verdict.reason;
      if (i > 0) {
        const std::string other =
            "records with the same key stand in another order than after the first call, and the same input must give "
            "the same bits";
        reason = "in call " + std::to_string(i + 1) + " with the same workspace: " + (reason.empty() ? other : reason);
      } else if (reason.empty()) {
        reason = steps.mistake();
      }
      outcome.verdict.matches = reason.empty();
      if (!reason.empty()) return outcome;
      first = got;
    }
    return outcome;
  }

  /// What was said of the first call.
  const std::string& reason() const { return reason_; }

  bool is_empty() const override { return task_.input.keys.empty(); }
  std::string description() const override {
    return "Input: " + std::to_string(task_.input.keys.size()) + " keys" +
           (choice_.values != Values::none ? " with values" : "") + ", " + name_of(choice_.type) + " (" +
           name_of(choice_.keys) + ", seed " + std::to_string(seed_) + ")";
  }

 private:
  SortOnDevice on_device_;
  SortChoice choice_;
  std::uint32_t seed_;
  bool looks_at_workspace_;
  SortTask task_;
  HostRecords expected_;
  std::string reason_;
};

}  // namespace

SortChoice::SortChoice(const Settings& settings)
    : type(settings.choice<KeyType>("type")),
      keys(settings.choice<Keys>("distribution")),
      values(settings.choice<Values>("values")),
      misalign(settings.choice<std::size_t>("misalign")),
      output_misalign(settings.choice<std::size_t>("output-misalign")),
      calls(static_cast<int>(settings.options.at("calls"))) {}

std::string SortProblem::help() const {
  return std::string("Sorts records") +
         (promise_.is_stable ? ", those with the same key in the order of the input," : "") +
         " on the device and compares with the CPU.";
}

std::vector<Extent> SortProblem::extents() const {
  constexpr std::size_t kStandard = std::size_t{1} << 18;
  return {{"size", "how many keys", std::min(kStandard, promise_.largest), promise_.largest}};
}

std::vector<Option> SortProblem::options() const {
  Option distribution{"distribution", "what the keys are", keys_names()};
  distribution.is_row = true;
  return {distribution,
          {"type", "what the bits of a key stand for", key_type_names()},
          {"values",
           "what each key has for a value: its place in the input, or that counted from the end",
           {"none", "places", "from-end"}},
          {"misalign", "the input begins K words behind an aligned address", {}, 0.0, 0.0, 3.0, true},
          {"output-misalign", "the output begins K words behind an aligned address", {}, 0.0, 0.0, 3.0, true},
          {"calls",
           "calls with the same input and workspace, all of which must give the same bits",
           {},
           1.0,
           1.0,
           1000.0,
           true}};
}

Work SortProblem::work(const Settings& settings) const {
  const auto n = static_cast<double>(settings.size());
  const double bytes = n * sizeof(std::uint32_t) * (SortChoice(settings).values != Values::none ? 2.0 : 1.0);
  return {"keys", n, bytes, bytes, 0.0};
}

double SortProblem::device_bytes(const Settings& settings) const {
  const double records = work(settings).bytes_read;
  return 3.0 * records + static_cast<double>(sort_storage_bytes(settings.size()));
}

std::unique_ptr<Case> SortProblem::make_case(const Settings& settings) const {
  return std::make_unique<SortCase>(promise_, on_device_, settings, false);
}

std::string SortProblem::diagnosis(const Settings& settings, const Measure& measure) const {
  if (settings.size() < 2) return "";
  SortCase one_case(promise_, on_device_, settings, true);
  if (measure(one_case) == 1.0) return "The sorted keys are in workspace.records.keys, and their place is the output.";
  // A block has as many places as a power of two: then there is none behind the end.
  const std::size_t n = settings.size();
  const std::size_t at = one_case.reason().find(kAllAreThere);
  if (n < 512 || (n & (n - 1)) != 0 || at == std::string::npos) return "";
  return one_case.reason().substr(at) + ". So the order is wrong, also where no place lies behind the end";
}

}  // namespace workbook
