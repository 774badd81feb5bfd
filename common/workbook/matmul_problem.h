// SPDX-License-Identifier: MIT
// The product of two matrices as a problem.
#pragma once

#include <string>
#include <vector>

#include "workbook/factors.h"
#include "workbook/matmul.h"
#include "workbook/problem.h"

namespace workbook {

using MultiplyOnDevice = void (*)(ConstMatrix a, ConstMatrix b, Matrix c, dim3 block, cudaStream_t stream);

/// A and B, and what C should be.
struct Product {
  std::size_t m = 0, n = 0, k = 0;  ///< A is m x k, B is k x n, C is m x n
  std::vector<float> a, b;          ///< without gaps, row by row
  std::vector<float> c;             ///< computed in double
  /// What the error of each element of C may be: that of any order; 0 where nothing is rounded.
  std::vector<float> bounds;
};

Product make_product(Factors factors, std::size_t m, std::size_t n, std::size_t k, std::uint32_t seed);

class MatmulProblem final : public Problem {
 public:
  explicit MatmulProblem(MultiplyOnDevice on_device) : on_device_(on_device) {}

  std::string name() const override { return "matmul"; }
  std::string help() const override;
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override;
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  MultiplyOnDevice on_device_;
};

}  // namespace workbook
