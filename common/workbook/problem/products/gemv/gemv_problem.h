// SPDX-License-Identifier: MIT
// The product of a matrix and a vector as a problem: y = A x, or y = A^T x. Both have the same A, in the same order in
// memory.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/problem/products/factors.h"
#include "workbook/student/gemv.h"

namespace workbook {

using MultiplyVectorOnDevice = void (*)(ConstMatrix a, const float* x, float* y, const GemvWorkspace& workspace,
                                        unsigned block_size, cudaStream_t stream);

/// The lines of A that are multiplied by x.
enum class Side : std::uint8_t { rows, columns };

/// The matrix A, the vector x, and the reference of y.
struct VectorProduct {
  std::size_t rows = 0, columns = 0;  ///< The extents of A.
  std::vector<float> a;               ///< Without gaps, row by row.
  std::vector<float> x, y;            ///< The vector y is computed in double.
  std::vector<float> bounds;          ///< The error bound of each element of y, as in a product of matrices.
};

/// With Factors::places, the 1 in x is at `seed`, modulo its size.
VectorProduct make_vector_product(Factors factors, Side side, std::size_t rows, std::size_t columns, std::uint32_t seed,
                                  const std::optional<std::uint64_t>& changed = {});

/// GEMV as a problem.
class GemvProblem final : public Problem {
 public:
  GemvProblem(Side side, MultiplyVectorOnDevice on_device) : side_(side), on_device_(on_device) {}

  std::string name() const override { return side_ == Side::rows ? "gemv" : "transposed gemv"; }
  std::string help() const override;
  std::vector<Extent> extents() const override;
  std::vector<Option> options() const override;
  BlockRule block_rule() const override { return powers_of_two(32, 1024, 256); }
  Work work(const Settings& settings) const override;
  double device_bytes(const Settings& settings) const override;
  std::vector<Settings> cases(Purpose purpose, const Settings& standard, const std::vector<dim3>& shapes,
                              bool simulated) const override;
  std::unique_ptr<Case> make_case(const Settings& settings) const override;

 private:
  Side side_;
  MultiplyVectorOnDevice on_device_;
};

}  // namespace workbook
