// SPDX-License-Identifier: MIT
// Seeded rows for softmax and RMS norm, the reference and its error bound. The same arguments give the same bits on
// every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/student/rows.h"

namespace workbook {

/// The numbers of a row.
enum class RowValues : std::uint8_t {
  random,    ///< In [-8, 8).
  equal,     ///< One number, another one in each row: then the results count the numbers.
  peak,      ///< In [-1, 1), with one 100. It is the last number of a row, the first, or any, in turn.
  rising,    ///< From -1000 to -850: nearly each number is the largest so far, and all are far below 0.
  masked,    ///< As random, with -inf (RMS norm: 0): all of the row, its first half, its second half, or a third.
  infinity,  ///< As random, with one +inf in every second row.
  nan,       ///< As random, with one NaN in every second row.
  huge,      ///< Either sign, near the largest float (RMS norm: up to 10^15). No difference from the largest is small.
};
std::vector<std::string> row_values();  ///< "random", "equal", ...

std::vector<float> make_rows(RowValues values, RowOperation operation, std::size_t rows, std::size_t columns,
                             std::uint32_t seed);

/// The results, computed in double, and the largest error that is allowed for each.
///
/// With u = 2^-24, an element's exp(x - max) has a relative error of at most (4 |x - max| + 8) u. The difference is
/// rounded, its product with log2(e) is rounded, and __expf() has 2 + 1.173 |x| units in the last place (CUDA C++
/// Programming Guide, "Intrinsic Functions"). When a sum is rescaled, the differences add up to x - max, and the errors
/// of a chain of d additions and products to at most 4 d u. Here d is addition_depth(), and one more for each 128
/// numbers, as a thread may add up a long row. Errors of a long chain have different signs, so 8 * sqrt(d) takes the
/// place of d where it is less (N. Higham and T. Mary, SIAM J. Sci. Comput. 41, 2019, with lambda = 8). The relative
/// error of the sum is at most the mean of those of its terms, and the chain's. The bound is twice all that, and 2^-125
/// more for results below the smallest normal float. RMS norm has the chain's error alone.
struct RowReference {
  std::vector<float> output;
  std::vector<float> bounds;  ///< 0 where the result is NaN.
};
RowReference reference_rows(RowOperation operation, const std::vector<float>& input, std::size_t rows,
                            std::size_t columns);

/// The relative error that is allowed beside that of exp(), in units of 2^-24: 8 and the chain's part.
double row_error_units(std::size_t columns);

}  // namespace workbook
