// SPDX-License-Identifier: MIT
// One call of a sort, and the cases. The host plays the kernel, on a device's memory.
#include "workbook/problem/sorts/sort/sort_problem.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "workbook/case/device_memory.h"
#include "workbook/case/run.h"
#include "workbook/program/command_line.h"

namespace workbook {
namespace {

using Words = std::vector<std::uint32_t>;

Words on_host(const std::uint32_t* data, std::size_t n) {
  Words words(n);
  if (n > 0) CUDA_CHECK(cudaMemcpy(words.data(), data, n * sizeof words[0], cudaMemcpyDeviceToHost));
  return words;
}

void to_device(std::uint32_t* data, const Words& words) {
  if (!words.empty()) {
    CUDA_CHECK(cudaMemcpy(data, words.data(), words.size() * sizeof words[0], cudaMemcpyHostToDevice));
  }
}

void sort_on_host(KeyType type, ConstRecords input, Records output, std::size_t n) {
  const SortTask task{
      type, {on_host(input.keys, n), input.values != nullptr ? on_host(input.values, n) : Words{}}, true};
  const HostRecords records = sorted(task);
  to_device(output.keys, records.keys);
  if (input.values != nullptr) to_device(output.values, records.values);
}

void sorts(KeyType type, ConstRecords input, Records output, std::size_t n, const SortWorkspace&, unsigned,
           cudaStream_t) {
  sort_on_host(type, input, output, n);
}
void copies(KeyType, ConstRecords input, Records output, std::size_t n, const SortWorkspace&, unsigned, cudaStream_t) {
  to_device(output.keys, on_host(input.keys, n));
}
void sorts_the_input(KeyType type, ConstRecords input, Records output, std::size_t n, const SortWorkspace&, unsigned,
                     cudaStream_t) {
  sort_on_host(type, input, output, n);
  to_device(const_cast<std::uint32_t*>(input.keys), on_host(output.keys, n));
}
void sorts_into_the_workspace(KeyType type, ConstRecords input, Records, std::size_t n, const SortWorkspace& workspace,
                              unsigned, cudaStream_t) {
  sort_on_host(type, input, workspace.records, n);
}
void fills_the_workspace(KeyType type, ConstRecords input, Records output, std::size_t n,
                         const SortWorkspace& workspace, unsigned, cudaStream_t) {
  sort_on_host(type, input, output, n);
  sort_on_host(type, input, workspace.records, n);
  CUDA_CHECK(cudaMemset(workspace.storage, 1, sort_storage_bytes(n)));
}
// The first call finds what nobody wrote.
void trusts_its_storage(KeyType type, ConstRecords input, Records output, std::size_t n, const SortWorkspace& workspace,
                        unsigned, cudaStream_t) {
  auto* const flag = static_cast<std::uint32_t*>(workspace.storage);
  const bool is_first = on_host(flag, 1)[0] != 1;
  to_device(flag, {1});
  if (is_first) sort_on_host(type, input, output, n);
}
void turns_equal_keys_round(KeyType type, ConstRecords input, Records output, std::size_t n,
                            const SortWorkspace& workspace, unsigned, cudaStream_t) {
  sort_on_host(type, input, output, n);
  Words values = on_host(output.values, n);
  std::reverse(values.begin(), values.end());
  auto* const flag = static_cast<std::uint32_t*>(workspace.storage);
  if (on_host(flag, 1)[0] == 1) to_device(output.values, values);
  to_device(flag, {1});
}

Verdict verdict(SortOnDevice on_device, std::size_t n, const std::map<std::string, double>& options = {},
                bool is_stable = false) {
  const SortProblem problem({std::size_t{1} << 32, is_stable}, on_device);
  Settings settings = default_settings(Stage{}, problem);
  settings.sizes = {n};
  for (const auto& [name, value] : options) settings.options[name] = value;
  return run_case(problem, *problem.make_case(settings), settings, current_device(), {2}).verdict;
}

double option(Keys keys) { return static_cast<double>(keys); }

TEST(SortProblem, WhoeverSortsIsRight) {
  for (std::size_t keys = 0; keys < keys_names().size(); ++keys) {
    for (const double type : {0.0, 1.0, 2.0}) {
      for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{100}}) {
        const Verdict judged = verdict(fills_the_workspace, n,
                                       {{"distribution", static_cast<double>(keys)},
                                        {"type", type},
                                        {"values", static_cast<double>((n + keys) % 3)},
                                        {"misalign", type},
                                        {"output-misalign", 3.0 - type}},
                                       true);
        EXPECT_TRUE(judged.matches) << keys << " " << type << " " << n << ": " << judged.reason;
      }
    }
  }
}

TEST(SortProblem, WrongSortsAreRefused) {
  EXPECT_FALSE(verdict(copies, 100).matches);
  EXPECT_EQ(verdict(sorts_the_input, 100).reason.find("the keys must not change"), 0u);
  EXPECT_NE(verdict(sorts_into_the_workspace, 100)
                .reason.find("every key of the output holds what memory holds that nobody wrote"),
            std::string::npos);
}

TEST(SortProblem, AResultInTheWorkspaceIsALead) {
  const auto lead = [](SortOnDevice on_device, std::size_t n = 100) {
    const SortProblem problem({}, on_device);
    Settings settings = default_settings(Stage{}, problem);
    settings.sizes = {n};
    return problem.diagnosis(settings, [&](Case& one_case) {
      return run_case(problem, one_case, settings, current_device(), {1}).values.at(0).got;
    });
  };
  EXPECT_EQ(lead(sorts_into_the_workspace),
            "The sorted keys are in workspace.records.keys, and their place is the output.");
  EXPECT_EQ(lead(copies), "");
  EXPECT_EQ(lead(copies, 512),
            "all keys are there, but nothing has been sorted: they stand as in the input. So the order is wrong, also "
            "where no place lies behind the end");
  EXPECT_EQ(lead(copies, 513), "");
  EXPECT_EQ(lead(fills_the_workspace), "");  // there, too: what is wrong is something else
}

TEST(SortProblem, BenchmarksHaveOtherKeysWhereTheyFit) {
  const auto rows = [](std::size_t largest) {
    const SortProblem problem({largest, false}, sorts);
    std::set<double> distributions;
    for (const Settings& row : problem.cases(Purpose::bench, default_settings(Stage{}, problem), {dim3(256)}, false)) {
      EXPECT_LE(row.size(), largest);
      distributions.insert(row.options.at("distribution"));
    }
    return distributions.size();
  };
  EXPECT_EQ(rows(kLargestBlockSort), 1u);
  EXPECT_EQ(rows(std::size_t{1} << 32), 4u);
}

TEST(SortProblem, EveryCallWithTheSameWorkspaceIsJudged) {
  EXPECT_TRUE(verdict(trusts_its_storage, 100).matches);
  EXPECT_EQ(verdict(trusts_its_storage, 100, {{"calls", 3.0}}).reason.find("in call 2 with the same workspace: key at"),
            0u);
  const std::map<std::string, double> equal{{"calls", 2.0}, {"values", 1.0}, {"distribution", option(Keys::equal)}};
  EXPECT_EQ(verdict(turns_equal_keys_round, 100, equal).reason,
            "in call 2 with the same workspace: records with the same key stand in another order than after the first "
            "call, and the same input must give the same bits");
}

TEST(SortProblem, CasesKeepToTheLimitAndNameTheirOptions) {
  for (const std::size_t largest : {kLargestBlockSort, std::size_t{1} << 32}) {
    const SortProblem problem({largest, false}, sorts);
    const Settings standard = default_settings(Stage{}, problem);
    for (const Purpose purpose : {Purpose::quick, Purpose::hostile, Purpose::full, Purpose::lesson, Purpose::bench}) {
      std::set<double> types, values;
      bool has_special_floats = false;  // NaN, both zeros
      bool has_largest = false;
      std::set<std::pair<double, bool>> distributions;  // each alone, and with values
      for (const Settings& settings : problem.cases(purpose, standard, {dim3(256)}, true)) {
        EXPECT_LE(settings.size(), largest);
        has_largest = has_largest || settings.size() == largest;
        EXPECT_EQ(settings.options.size(), problem.options().size());
        types.insert(settings.options.at("type"));
        values.insert(settings.options.at("values"));
        const SortChoice choice(settings);
        distributions.emplace(settings.options.at("distribution"), choice.values != Values::none);
        has_special_floats = has_special_floats || (choice.keys == Keys::special && choice.type == KeyType::floats);
      }
      if (purpose != Purpose::hostile && purpose != Purpose::full) continue;
      EXPECT_EQ(types.size(), 3u);
      EXPECT_EQ(values.size(), 3u);
      EXPECT_EQ(distributions.size(), 2 * keys_names().size());
      EXPECT_TRUE(has_special_floats);
      EXPECT_EQ(has_largest, largest == kLargestBlockSort);
    }
  }
}

}  // namespace
}  // namespace workbook
