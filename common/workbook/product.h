// SPDX-License-Identifier: MIT
// Two matrices to multiply, and what becomes of a third.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workbook/factors.h"

namespace workbook {

/// What becomes of C: alpha * A B + beta * C.
struct Scaling {
  float alpha = 1.0f;
  float beta = 0.0f;

  /// How often a term is rounded until it has become a part of C: once in its product and the additions, k times for k
  /// terms (gamma_k), and once more for each factor that is not 1 and for a C that is added.
  std::size_t roundings(std::size_t k) const { return k + (alpha == 1.0f ? 0 : 1) + (beta == 0.0f ? 0 : 1); }
};

/// A and B, and what C should be.
struct Product {
  std::size_t m = 0, n = 0, k = 0;  ///< A is m x k, B is k x n, C is m x n
  std::vector<float> a, b;          ///< without gaps, row by row; all NaN where alpha is 0, as nobody may read them
  std::vector<float> before;        ///< C as it was; whole numbers, unless A and B have others. Empty where beta is 0
  std::vector<float> c;             ///< computed in double
  /// What the error of each element of C may be: gamma_r * (|alpha| sum |a b| + |beta c|) with the r of
  /// Scaling::roundings(), whatever the order (Higham, Accuracy and Stability of Numerical Algorithms, (3.5)), and half
  /// a unit for the rounding of `c`; 0 where nothing is rounded but the result.
  std::vector<float> bounds;
};

Product make_product(Factors factors, std::size_t m, std::size_t n, std::size_t k, std::uint32_t seed,
                     Scaling scaling = {});

/// A matrix of rows x columns as one of columns x rows.
std::vector<float> transposed(const std::vector<float>& matrix, std::size_t rows, std::size_t columns);

}  // namespace workbook
