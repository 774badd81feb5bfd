// SPDX-License-Identifier: MIT
// The numbers of products, made so that a wrong element tells: integers, whose sums are exact in every order and need
// more bits than the inputs of a tensor core have, and numbers that name their place. Shared by all problems of
// products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "workbook/case/problem.h"

#ifdef __CUDACC__
#define WORKBOOK_FACTORS_ON_DEVICE __host__ __device__
#else
#define WORKBOOK_FACTORS_ON_DEVICE
#endif

namespace workbook {

/// What the elements of A, and of B or x, are.
enum class Factors : std::uint8_t {
  uniform,   ///< [0, 1)
  balanced,  ///< [-1, 1)
  integers,  ///< A odd, of up to 12 bits and either sign, B -1, 0 or 1, and no sum above 2^24: every order is exact
  places,    ///< A's element number i is i + 1 (up to 2^24), each column of B has one 1: the product tells which it got
  identity,  ///< A of all 24 bits, from 2^-10 to 2^10 and of either sign, B 1 on its diagonal: the product is A, to the
             ///< bit
  one_hot,   ///< one 1 in A and one in B, which meet: set by who makes both (product.h)
  scaled,    ///< as balanced, but rows of A and columns of B are 2^-13 to 2^13 times as large: scaled by who makes both
  adverse,   ///< just above 1, and what a tensor core's formats lose of them is as much as can be, with one sign
  halfway,   ///< just above 1, and nearly in the middle between two numbers of 11 bits: what two such numbers (fp16)
             ///< lose of them, and of their products, is as much as can be, with one sign
  // Only of those that two matrices have together: made by who makes both.
  terms,    ///< as scaled, and also column k of A, by what row k of B is divided by
  steep,    ///< the first product is 2^24, and all others are just below 1.5: what a sum on a tensor core, which is cut
            ///< after each instruction, loses of them is as much as can be
  wide,     ///< as balanced, but A has a number of 2^16 to 2^47 in each row where B is zero, and B one in each column
            ///< where A is zero: all that counts is far below the largest
  extreme,  ///< as balanced, but rows of A near the largest float, as they are, below the smallest normal one, and
            ///< zero; columns of B so that the largest product is one from 2^-126 to 2^123
  special,  ///< as balanced, with infinities, numbers that are none, and zeros
};
const char* name_of(Factors factors);
/// No product of such numbers, and no sum of them, is rounded.
constexpr bool is_exact(Factors factors) { return factors == Factors::integers || factors == Factors::places; }

/// The option "factors" of a problem, with the choices up to `last`.
Option factors_option(const std::string& help, Factors last = Factors::places);

/// By what Factors::scaled multiplies a line: a power of two, so that the numbers keep their bits.
WORKBOOK_FACTORS_ON_DEVICE constexpr float scale_of_line(std::size_t line) {
  const std::size_t power = line * 11 % 27;  // 2^power, of which 2^13 is 1
  return static_cast<float>(std::uint32_t{1} << power) * 0x1p-13f;
}

/// By what Factors::terms multiplies a column of A: it meets every scale of a line.
WORKBOOK_FACTORS_ON_DEVICE constexpr float scale_of_term(std::size_t term) { return scale_of_line(term * 2 + 5); }

/// Fills A, in the order of its memory.
void fill_first_factor(Factors factors, std::mt19937& generator, std::vector<float>& a);
/// Fills B, which has `columns` columns, row by row: a row for each of the terms of a sum. place: of Factors::places
/// the row of the 1 in column 0, in each further column it lies five rows on; of Factors::integers with many terms the
/// first row that is not zero (each modulo what there is).
void fill_second_factor(Factors factors, std::mt19937& generator, std::size_t columns, std::size_t place,
                        std::vector<float>& b);

/// What the error of a sum of products may be, whatever the order: gamma_k * sum |a b| (Higham, Accuracy and Stability
/// of Numerical Algorithms, (3.5)), and half a unit for the rounding of the reference. terms: k, less than 2^24. sum,
/// size: of the products, and of their absolute values.
double bound_of_any_order(std::size_t terms, double sum, double size);

/// Rows of `columns` numbers with `padding` NaN behind each, all of whose bits are set.
std::vector<float> with_gaps(const std::vector<float>& matrix, std::size_t rows, std::size_t columns,
                             std::size_t padding);

/// The bits of a float as people read them; of Factors::places with the element of A, whose extents these are, that it
/// is.
std::string text_of_product(std::uint32_t word, Factors factors, std::size_t rows, std::size_t columns);

}  // namespace workbook
