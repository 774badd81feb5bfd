// SPDX-License-Identifier: MIT
// Two matrices to multiply, and the result in a third.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workbook/problem/products/factors.h"

namespace workbook {

/// The scaling of GEMM: alpha * A B + beta * C.
struct Scaling {
  float alpha = 1.0f;
  float beta = 0.0f;

  /// How often a term is rounded on its way into C. k terms have k roundings in products and additions (gamma_k). Each
  /// factor that is not 1 adds one, and so does a C that is added.
  std::size_t roundings(std::size_t k) const { return k + (alpha == 1.0f ? 0 : 1) + (beta == 0.0f ? 0 : 1); }
};

/// The arithmetic of a product, which gives its error bound.
enum class Arithmetic : std::uint8_t {
  float32,  ///< In float, in any order.
  tf32,     ///< Each factor is rounded to 11 bits. A tensor core adds the products, 8 at a time.
  split,    ///< Each factor is a sum of two numbers of 11 bits (fp16) times a power of two of its line. A tensor core
            ///< adds the three largest of their products, the largest for 16 terms at a time. Float adds these sums.
            ///< Where the numbers of a line are so small beside its largest that this loses more, float computes all.
};

/// The largest change of a product by rounding two factors to tf32, relative to the product. Each factor changes by
/// 2^-11 of itself.
constexpr double kMostLostToTf32 = 0x1p-10 + 0x1p-22;

/// The error bound of a sum of k products, and half a unit for the rounding of the reference. Here `size` is the sum of
/// their absolute values, u = 2^-24, and gamma_k is as in bound_of_any_order().
/// * float32: gamma_k size, where the roundings of a scaling count among the k.
/// * tf32: lost + gamma_(k + 8) size. Here `lost` is the change of the products when each of these factors
///   becomes the nearest number of 11 bits. It is kMostLostToTf32 size at most. So the bound finds one matrix
///   that is cut and not rounded. A tensor core cuts each of the 8 products and the sum so far at 2^-25 of the
///   largest of them. It cuts the result to 24 bits. That is 9/2 u + 2 u an instruction of 8 terms, less than u a
///   term.
/// * split: gamma_(k / 16 + k / 512 + 24) size, and 2^-149. A line, a row of A or a column of B, is scaled so
///   that its largest number is at least 2^14. An element then loses, in u size:
///   * 4: the split changes a number by 2^-23 of it at most. The rest after the first 11 bits is a whole number
///     of up to 2^12 in units of its last bit. Above 2^11, only every second one has 11 bits.
///   * 4: the product of the two rests, 2^-11 of each factor, is left out.
///   * 21/2: the largest products of 16 terms are one instruction. It cuts 17 numbers at 2^-25 of the largest,
///     and the result to 24 bits: 17/2 u + 2 u.
///   * k / 16 + 3: float rounds once in 16 terms. It also rounds when it adds the sums of the small products and
///     those of other blocks.
///   * k / 512: the small products, two instructions for 16 terms, stay on the tensor core. Each of them cuts as
///     much, but at 2^-10 of the size: 21/16 k 2^-10.
///   * 1: a number below 2^-13 is 2^-27 of the largest of its line or less. It loses up to 2^-36, and not 2^-23
///     of itself. Also, 2^-25 of it may be left out of a product with another's 2^3. For k terms that is less
///     than 2^-19 k, and 1 u of a sum of at least 2^5 k. A smaller sum is computed in float, 16 terms at a time
///     and then these sums.
/// * Results below 2^-126 are rounded to a multiple of 2^-149.
/// How a tensor core adds and cuts is measured on an H200 (tests/isa/tensor), and PTX does not promise it. A GPU that
/// adds 16 terms as two groups of 8 would lose 13 u in place of 21/2 u: then 24 would have to be 25. That file says how
/// to compare another GPU.
double bound_of_product(Arithmetic arithmetic, std::size_t k, double sum, double size, double lost);

/// The matrices A and B, and the reference of C.
struct Product {
  std::size_t m = 0, n = 0, k = 0;  ///< A is m x k, B is k x n, C is m x n.
  std::vector<float> a, b;  ///< Without gaps, row by row. All NaN where alpha is 0, because a stage must not read them.
  std::vector<float> before;  ///< C before the call: whole numbers, unless A and B have others. Empty where beta is 0.
  std::vector<float> c;       ///< The matrix C is computed in double.
  /// The error bound of each element of C: bound_of_product() with Scaling::roundings() for k. Its size is |alpha| sum
  /// |a b| + |beta c|. It is 0 where only the result is rounded.
  std::vector<float> bounds;
};

/// Some factors have a product that is exact in float (integers, places, identity). For Arithmetic::tf32 they are cut
/// to 11 bits, and for Arithmetic::split to 23. So their product is exact there, too.
Product make_product(Factors factors, std::size_t m, std::size_t n, std::size_t k, std::uint32_t seed,
                     Scaling scaling = {}, Arithmetic arithmetic = Arithmetic::float32,
                     const std::optional<std::uint64_t>& changed = {});

/// A matrix of rows x columns as one of columns x rows.
std::vector<float> transposed(const std::vector<float>& matrix, std::size_t rows, std::size_t columns);

}  // namespace workbook
