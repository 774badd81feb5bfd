// SPDX-License-Identifier: MIT
// Two matrices to multiply, and what becomes of a third.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workbook/problem/products/factors.h"

namespace workbook {

/// What becomes of C: alpha * A B + beta * C.
struct Scaling {
  float alpha = 1.0f;
  float beta = 0.0f;

  /// How often a term is rounded until it has become a part of C: once in its product and the additions, k times for k
  /// terms (gamma_k), and once more for each factor that is not 1 and for a C that is added.
  std::size_t roundings(std::size_t k) const { return k + (alpha == 1.0f ? 0 : 1) + (beta == 0.0f ? 0 : 1); }
};

/// How a product is computed, which decides what its error may be.
enum class Arithmetic : std::uint8_t {
  float32,  ///< in float, in any order
  tf32,     ///< each factor rounded to 11 bits, the products added on a tensor core, 8 at a time
  split,    ///< each factor a sum of two numbers of 11 bits (fp16) times a power of two of its line, of which the three
            ///< largest products are added on a tensor core, the largest 16 terms at a time, and these sums in
            ///< float; or in float, where numbers of a line are so small beside its largest that this loses more
};

/// What rounding two factors to tf32 changes their product by at most, beside the product: each by 2^-11 of itself.
constexpr double kMostLostToTf32 = 0x1p-10 + 0x1p-22;

/// What the error of a sum of k products may be, and half a unit for the rounding of the reference; size is the sum of
/// their absolute values, u = 2^-24, and gamma_k as in bound_of_any_order().
/// float32: gamma_k size, with the roundings of a scaling among the k.
/// tf32:    lost + gamma_(k + 8) size. lost is what these very factors change the products by when each becomes the
///          nearest number of 11 bits, kMostLostToTf32 size at most: so one matrix that is cut and not rounded shows. A
///          tensor core cuts each of the 8 products and the sum so far at 2^-25 of the largest of them, and the result
///          to 24 bits: 9/2 u + 2 u an instruction of 8 terms, less than u a term.
/// split:   gamma_(k / 16 + k / 512 + 24) size, and 2^-149. A line, a row of A or a column of B, is scaled so that its
///          largest number is at least 2^14. What an element then loses, in u size:
///          - 4: to split a number changes it by 2^-23 of it at most. What its first 11 bits leave is a whole number of
///            up to 2^12 in units of its last bit, and above 2^11 only every second one has 11 bits.
///          - 4: the product of what the first 11 bits leave, 2^-11 of each factor, is left out.
///          - 21/2: the largest products of 16 terms are one instruction, which cuts 17 numbers at 2^-25 of the largest
///            and the result to 24 bits, 17/2 u + 2 u.
///          - k / 16 + 3: float rounds once in 16 terms, and when the sums of the small products and those of other
///            blocks are added.
///          - k / 512: the small products, two instructions for 16 terms, stay on the tensor core. Each of them cuts as
///            much, but of 2^-10 of the size: 21/16 k 2^-10.
///          - 1: a number below 2^-13, which is 2^-27 of the largest of its line or less, loses up to 2^-36 in place of
///            2^-23 of itself, and 2^-25 of it may be left out of a product with another's 2^3. For k terms that is
///            less than 2^-19 k, and 1 u of a sum of at least 2^5 k. A smaller one is computed in float, 16 terms at a
///            time and then these sums.
///          - Results below 2^-126 are rounded to a multiple of 2^-149.
double bound_of_product(Arithmetic arithmetic, std::size_t k, double sum, double size, double lost);

/// A and B, and what C should be.
struct Product {
  std::size_t m = 0, n = 0, k = 0;  ///< A is m x k, B is k x n, C is m x n
  std::vector<float> a, b;          ///< without gaps, row by row; all NaN where alpha is 0, as nobody may read them
  std::vector<float> before;        ///< C as it was; whole numbers, unless A and B have others. Empty where beta is 0
  std::vector<float> c;             ///< computed in double
  /// What the error of each element of C may be: bound_of_product() of the r of Scaling::roundings(), with
  /// |alpha| sum |a b| + |beta c| for the size; 0 where nothing is rounded but the result.
  std::vector<float> bounds;
};

/// For Arithmetic::tf32 and Arithmetic::split, factors whose product is exact in float (integers, places, identity) are
/// cut to 11 bits and to 23, so that it is exact there, too.
Product make_product(Factors factors, std::size_t m, std::size_t n, std::size_t k, std::uint32_t seed,
                     Scaling scaling = {}, Arithmetic arithmetic = Arithmetic::float32);

/// A matrix of rows x columns as one of columns x rows.
std::vector<float> transposed(const std::vector<float>& matrix, std::size_t rows, std::size_t columns);

}  // namespace workbook
