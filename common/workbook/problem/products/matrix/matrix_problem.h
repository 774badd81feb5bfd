// SPDX-License-Identifier: MIT
// Copy and transpose of a matrix as a problem. The data are exact at any size. Word k of the input's memory is the
// number k modulo 2^32, so every wrong element tells its origin.
#pragma once

#include "workbook/case/problem.h"
#include "workbook/student/matrix.h"

namespace workbook {

using MoveOnDevice = void (*)(ConstMatrix input, Matrix output, dim3 block, cudaStream_t stream);

/// The operation on a matrix.
enum class Move : std::uint8_t { copy, transpose };

/// Copy and transpose as a problem.
class MatrixProblem final : public Problem {
 public:
  MatrixProblem(Move move, MoveOnDevice on_device) : move_(move), on_device_(on_device) {}

  std::string name() const override { return move_ == Move::copy ? "copy" : "transpose"; }
  std::string help() const override;
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  bool has_seed() const override { return false; }
  BlockRule block_rule() const override;
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  Move move_;
  MoveOnDevice on_device_;
};

}  // namespace workbook
