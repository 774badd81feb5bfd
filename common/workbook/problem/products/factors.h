// SPDX-License-Identifier: MIT
// Factors: the distributions of the factors of products, where a wrong element shows its cause. Some are integers,
// whose sums are exact in every order; they need more bits than the inputs of a tensor core have. Others are numbers
// that tell their place. All problems of products share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/case/problem.h"
#include "workbook/problem/generator.h"

#ifdef __CUDACC__
#define WORKBOOK_FACTORS_ON_DEVICE __host__ __device__
#else
#define WORKBOOK_FACTORS_ON_DEVICE
#endif

namespace workbook {

/// The elements of A, and of B or x. A line is a row of A or a column of B. Code that makes both matrices (product.h)
/// sets one_hot, scaled, and all from terms to special.
enum class Factors : std::uint8_t {
  uniform,   ///< [0, 1).
  balanced,  ///< [-1, 1).
  integers,  ///< A: odd, up to 12 bits, either sign. B: -1, 0 or 1. No sum is above 2^24, so every order is exact.
  places,  ///< Element i of A is i + 1 (up to 2^24). Each column of B has one 1, so the product shows the element that
           ///< it used.
  identity,  ///< A: all 24 bits, from 2^-10 to 2^10, either sign. B: 1 on its diagonal. The product is A, bit by bit.
  one_hot,   ///< One 1 in A and one in B, which meet.
  scaled,    ///< As balanced, but lines are 2^-13 to 2^13 times as large.
  adverse,   ///< Just above 1, with the largest possible loss in a tensor core's formats, always with one sign.
  halfway,  ///< Just above 1, nearly in the middle between two numbers of 11 bits. Two such numbers (fp16) lose as much
            ///< as possible of them and of their products, with one sign.
  // Only for two matrices together.
  terms,    ///< As scaled. Also, column k of A is multiplied by a power of two, and row k of B is divided by it.
  steep,    ///< The first product is 2^24, and all others are just below 1.5. A sum on a tensor core is cut after each
            ///< instruction, and loses as much as possible of them.
  wide,     ///< As balanced, with one large number (2^16 to 2^47) in each row of A where B is zero. B has one in each
            ///< column where A is zero. All numbers that count are far below the largest.
  extreme,  ///< As balanced, but with rows of A near the largest float, unchanged, below the smallest normal float, and
            ///< zero. Columns of B make the largest product a number from 2^-126 to 2^123.
  special,  ///< As balanced, with infinities, NaN, and zeros.
};
const char* name_of(Factors factors);
/// Whether no product of such numbers, and no sum of them, is rounded.
constexpr bool is_exact(Factors factors) { return factors == Factors::integers || factors == Factors::places; }

/// The option "factors" of a problem, with the choices up to `last`.
Option factors_option(const std::string& help, Factors last = Factors::places);

/// The scale of a line in Factors::scaled: a power of two, so that the numbers keep their bits.
WORKBOOK_FACTORS_ON_DEVICE constexpr float scale_of_line(std::size_t line) {
  const std::size_t power = line * 11 % 27;  // 2^power; power 13 gives the scale 1
  return static_cast<float>(std::uint32_t{1} << power) * 0x1p-13f;
}

/// The scale of a column of A in Factors::terms. It meets every scale of a line.
WORKBOOK_FACTORS_ON_DEVICE constexpr float scale_of_term(std::size_t term) { return scale_of_line(term * 2 + 5); }

/// Fills A, in the order of its memory.
void fill_first_factor(Factors factors, Generator& generator, std::vector<float>& a);
/// Fills B, which has `columns` columns, row by row; each row belongs to one term of a sum. The argument `place`,
/// modulo what there is:
/// * For Factors::places, the row of the 1 in column 0. In each further column it is five rows further down.
/// * For Factors::integers with many terms, the first row that is not zero.
void fill_second_factor(Factors factors, Generator& generator, std::size_t columns, std::size_t place,
                        std::vector<float>& b);

/// The error bound of a sum of products, for any order. It is gamma_k * sum |a b|, and half a unit for the rounding of
/// the reference. The source is (3.5) in Higham, Accuracy and Stability of Numerical Algorithms. Here `terms` is k,
/// less than 2^24. `sum` is the sum of the products, and `size` that of their absolute values.
double bound_of_any_order(std::size_t terms, double sum, double size);

/// The text of a float's bits. For Factors::places it adds the element of A that has this number; the extents are those
/// of A.
std::string text_of_product(std::uint32_t word, Factors factors, std::size_t rows, std::size_t columns);

/// Which terms of the sums are wrong, for Factors::places, where an element of C has one term that is not 0. The
/// matrices have `columns` columns, the sums `terms` terms. Example: "; of the sums, every 16th term is wrong, the
/// first of them number 0". Or how many times too large all wrong elements are. Empty where the wrong terms have no
/// such pattern.
std::string wrong_terms(const std::vector<float>& expected, const std::vector<float>& got, std::size_t columns,
                        std::size_t terms);

}  // namespace workbook
