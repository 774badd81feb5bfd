// SPDX-License-Identifier: MIT
// Scans as a problem, in two forms for stages: the elements of each block by themselves, and all elements. Elements,
// reference and bound are in scan_input.h, the functions in workbook/student/scan.h.
#pragma once

#include <variant>

#include "workbook/case/problem.h"
#include "workbook/problem/sums/scan/scan_input.h"

namespace workbook {

/// A student's scan_blocks_on_device().
template <typename T>
using ScanBlocksOnDevice = void (*)(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                                    cudaStream_t stream);
/// A student's scan_on_device().
template <typename T>
using ScanOnDevice = void (*)(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
                              const ScanWorkspace& workspace);

/// A stage's function for each type of elements.
template <template <typename> class Function>
struct ScanFunctionsOf {
  Function<int> of_ints = nullptr;
  Function<float> of_floats = nullptr;
  Function<Affine> of_maps = nullptr;

  Function<int> of(int) const { return of_ints; }
  Function<float> of(float) const { return of_floats; }
  Function<Affine> of(Affine) const { return of_maps; }
};
using BlockScanFunctions = ScanFunctionsOf<ScanBlocksOnDevice>;
using ScanFunctions = ScanFunctionsOf<ScanOnDevice>;

/// The case's own options.
struct ScanChoice {
  explicit ScanChoice(const Settings& settings);

  Scan scan;
  ScanType type;
  Elements elements;
  int calls = 1;  ///< With one workspace. Every second call before the last has the second half of the elements.
};

/// Scans as a problem.
class ScanProblem final : public Problem {
 public:
  explicit ScanProblem(const BlockScanFunctions& functions) : functions_(functions) {}
  explicit ScanProblem(const ScanFunctions& functions) : functions_(functions) {}

  /// Whether each block's elements are scanned by themselves.
  bool is_by_block() const { return std::holds_alternative<BlockScanFunctions>(functions_); }
  /// The elements that are scanned together.
  std::size_t tile(dim3 block) const { return is_by_block() ? 4 * std::size_t{block.x} : ~std::size_t{0}; }

  /// Calls the stage's function.
  template <typename T>
  void launch(Scan scan, const T* input, T* output, std::size_t n, unsigned block_size,
              const ScanWorkspace& workspace) const {
    if (const auto* by_block = std::get_if<BlockScanFunctions>(&functions_)) {
      by_block->of(T{})(scan, input, output, n, block_size, workspace.stream);
    } else {
      std::get<ScanFunctions>(functions_).of(T{})(scan, input, output, n, block_size, workspace);
    }
  }

  std::string name() const override { return is_by_block() ? "block scan" : "scan"; }
  std::string help() const override {
    return is_by_block() ? "Scans the elements of each block on the device and compares with the CPU."
                         : "Scans all elements on the device and compares with the CPU.";
  }
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;  // scan_cases.cpp
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  std::variant<BlockScanFunctions, ScanFunctions> functions_;
};

}  // namespace workbook
