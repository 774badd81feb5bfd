// SPDX-License-Identifier: MIT
// Sorting as a problem. Its inputs are in sort_input.h, reference and verdict in sort_check.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/problem/sorts/sort/sort_check.h"
#include "workbook/problem/sorts/sort/sort_input.h"

namespace workbook {

using SortOnDevice = void (*)(KeyType type, ConstRecords input, Records output, std::size_t n,
                              const SortWorkspace& workspace, unsigned block_size, cudaStream_t stream);

/// The capacity of one block: 1,024 threads with 16 keys each.
constexpr std::size_t kLargestBlockSort = 16'384;

/// The promises of a stage.
struct SortPromise {
  std::size_t largest = std::size_t{1} << 32;  ///< The most keys that it can sort.
  bool is_stable = false;
};

/// The values: none, the places of their keys in the input, or these places counted from the end.
enum class Values : std::uint8_t { none, places, from_end };

/// The case's own options.
struct SortChoice {
  explicit SortChoice(const Settings& settings);

  KeyType type;
  Keys keys;
  Values values;
  std::size_t misalign, output_misalign;  ///< words behind an aligned address
  int calls;                              ///< successive calls in the same workspace
};

/// Sorting as a problem.
class SortProblem final : public Problem {
 public:
  SortProblem(SortPromise promise, SortOnDevice on_device) : promise_(promise), on_device_(on_device) {}

  const SortPromise& promise() const { return promise_; }

  std::string name() const override {
    return promise_.is_stable ? "stable sort" : promise_.largest <= kLargestBlockSort ? "block sort" : "sort";
  }
  std::string help() const override;
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;
  /// Whether the result is in the workspace.
  std::string diagnosis(const Settings& settings, const Measure& measure) const override;

 private:
  SortPromise promise_;
  SortOnDevice on_device_;
};

}  // namespace workbook
