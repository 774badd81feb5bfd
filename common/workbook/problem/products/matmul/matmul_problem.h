// SPDX-License-Identifier: MIT
// The product of two matrices as a problem, in three forms: plain, with a workspace, and GEMM. The numbers and the
// reference are in product.h, the cases in matmul_cases.cpp.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/problem/products/matmul/product.h"
#include "workbook/student/gemm.h"
#include "workbook/student/matmul_split.h"

namespace workbook {

/// A student's multiply_on_device().
using MultiplyOnDevice = void (*)(ConstMatrix a, ConstMatrix b, Matrix c, dim3 block, cudaStream_t stream);
/// The same with a workspace.
using MultiplyInWorkspace = void (*)(ConstMatrix a, ConstMatrix b, Matrix c, float* partials, dim3 block,
                                     cudaStream_t stream);
/// The same with the workspace of split factors.
using MultiplySplit = void (*)(ConstMatrix a, ConstMatrix b, Matrix c, void* workspace, dim3 block,
                               cudaStream_t stream);
/// A student's gemm_on_device().
using GemmOnDevice = void (*)(float alpha, Operand a, Operand b, float beta, Matrix c, float* partials, dim3 block,
                              cudaStream_t stream);
using ProductFunction = std::variant<MultiplyOnDevice, MultiplyInWorkspace, MultiplySplit, GemmOnDevice>;

/// A case's choices beside its extents. Where a problem has no such option, the choice is the standard.
struct ProductChoice {
  explicit ProductChoice(const Settings& settings);

  Factors factors;
  Scaling scaling;
  bool a_is_transposed = false, b_is_transposed = false;
  std::size_t padding, output_padding;
  std::size_t misalign_a, misalign_b, misalign_c;
  int calls = 1;  ///< successive calls in the same workspace
};

/// The floats of the function's workspace, 0 where it needs none. A is m x k, B is k x n.
std::size_t workspace_size(const ProductFunction& function, std::size_t m, std::size_t n, std::size_t k);

/// Calls the function in its form. `workspace` is for functions that need one.
void call_product(const ProductFunction& function, const ProductChoice& choice, ConstMatrix a, ConstMatrix b, Matrix c,
                  float* workspace, dim3 block, cudaStream_t stream);

/// Matrix product and GEMM as a problem.
class MatmulProblem final : public Problem {
 public:
  explicit MatmulProblem(ProductFunction function, Arithmetic arithmetic = Arithmetic::float32)
      : function_(function), arithmetic_(arithmetic) {}

  const ProductFunction& function() const { return function_; }
  Arithmetic arithmetic() const { return arithmetic_; }
  bool has_workspace() const { return !std::holds_alternative<MultiplyOnDevice>(function_); }
  bool is_gemm() const { return std::holds_alternative<GemmOnDevice>(function_); }

  std::string name() const override;
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
  ProductFunction function_;
  Arithmetic arithmetic_;
};

}  // namespace workbook
