// SPDX-License-Identifier: MIT
// Softmax and RMS norm of rows as a problem, in two forms for stages: softmax alone, and both. Inputs, reference and
// bound are in rows_input.h, the functions in workbook/student/rows.h.
#pragma once

#include "workbook/case/problem.h"
#include "workbook/problem/sums/rows/rows_input.h"

namespace workbook {

/// A student's softmax_rows_on_device().
using SoftmaxRowsOnDevice = void (*)(ConstMatrix input, Matrix output, unsigned block_size, cudaStream_t stream);
/// A student's normalize_rows_on_device().
using NormalizeRowsOnDevice = void (*)(RowOperation operation, ConstMatrix input, Matrix output, unsigned block_size,
                                       const RowWorkspace& workspace);

/// Rows as a problem.
class RowsProblem final : public Problem {
 public:
  explicit RowsProblem(SoftmaxRowsOnDevice on_device) : softmax_(on_device) {}
  explicit RowsProblem(NormalizeRowsOnDevice on_device) : normalize_(on_device) {}

  /// Whether the stage has softmax alone.
  bool is_softmax_alone() const { return softmax_ != nullptr; }
  RowOperation operation(const Settings& settings) const {
    return is_softmax_alone() ? RowOperation::softmax : settings.choice<RowOperation>("operation");
  }
  /// Calls the stage's function.
  void launch(RowOperation operation, ConstMatrix input, Matrix output, unsigned block_size,
              const RowWorkspace& workspace) const {
    if (is_softmax_alone()) {
      softmax_(input, output, block_size, workspace.stream);
    } else {
      normalize_(operation, input, output, block_size, workspace);
    }
  }

  std::string name() const override { return is_softmax_alone() ? "softmax of rows" : "norm of rows"; }
  std::string help() const override;
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;  // rows_cases.cpp
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  SoftmaxRowsOnDevice softmax_ = nullptr;
  NormalizeRowsOnDevice normalize_ = nullptr;
};

}  // namespace workbook
