// SPDX-License-Identifier: MIT
// The reference of a statistic on the CPU, and its error bound. Sums are compensated, and products carry their rounding
// errors. The deviation takes two passes: first the mean, then the squares of the differences.
#pragma once

#include <cstddef>
#include <vector>

#include "workbook/case/verdict.h"
#include "workbook/student/statistics.h"

namespace workbook {

/// The word for it on the command line and in reports: "sum", "product", "min", "max", "mean", "deviation".
const char* name_of(Operation operation);

/// Numbers that occur `times` times: a long input may be given by its repeated pieces.
template <typename T>
struct Piece {
  const T* numbers = nullptr;
  std::size_t count = 0;
  std::size_t times = 1;
};

/// The additions in one thread, one after another, that a stage may do beside its trees, over all its passes. They
/// allow 16 elements a thread in each of three passes. No stage here uses more.
constexpr int kSerialAdditions = 64;

/// The longest chain of additions that a sum of n numbers may use. It is ceil(log2(n)) for a tree over all of them, and
/// kSerialAdditions more for coarsening. No order of additions has a chain longer than n - 1.
int addition_depth(std::size_t n);

/// The reference of a statistic, with its error bound.
struct Statistic {
  Operation operation = Operation::sum;
  std::size_t size = 0;
  double value = 0.0;
  double bound = 0.0;  ///< The largest error that is allowed. 0: every bit must match.
  double unit = 0.0;   ///< The unit of the bound: u times a size. 0 where nothing is rounded.
};

/// The statistic of all pieces together. With u = 2^-24 for floats and 2^-53 for doubles, its bound is:
///
/// * Minimum and maximum: 0. For ints, everything but mean and deviation has the bound 0, too. So has everything that
///   no order rounds (below).
/// * Sum: 2 * depth * u * sum|x|. Each addition has an error of at most u of its result. So a sum whose longest chain
///   has `depth` additions has an error of at most depth * u * sum|x| to first order (N. Higham, Accuracy and Stability
///   of Numerical Algorithms, 2nd ed., section 4.2). The factor 2 covers the terms of higher order and the reference's
///   own rounding. The bound scales with sum|x| and not with |sum|. The reason: numbers of both signs may have a sum
///   near 0, but their rounding errors do not cancel.
/// * Product: min(n - 1, 8 * sqrt(n)) * 1.01 * u * |product|. Every order has n - 1 multiplications, each with an error
///   of at most u of its result. A tree saves none of them. But the errors have different signs. Where they are
///   independent with mean 0, they exceed 8 * sqrt(n) * u with a probability below 10^-13 (N. Higham and T. Mary, SIAM
///   J. Sci. Comput. 41, 2019, with lambda = 8). The file statistics_input.h makes such numbers.
/// * Mean, deviation: 8 * (depth + 1) * 2^-53 * max|x|, also for floats and ints. A merge of two means is mean_a +
/// (mean_b - mean_a) * w. It has an error of at most 7 u * max|x|; a division of a sum has less. A merge averages the
///   errors of its parts, and the errors of its levels add up. The same holds for the deviation. Merged pairwise, the
///   relative error of the sum of squares is about log2(n) * u * kappa. The source is table 1 of T. Chan, G. Golub, R.
///   LeVeque, The American Statistician 37, 1983. Here kappa * deviation, the root of the mean square, is at most
///   max|x|. The sum of squares minus the square of the sum has kappa^2 instead, which no such bound allows.
///
/// No order rounds a sum of integers where sum|x| is at most 2^24 (double: 2^53). No order rounds a product of powers
/// of two where the absolute values of the exponents add up to 100 at most. The statistic of one number is exact, bit
/// by bit.
template <typename T>
Statistic reference_statistic(Operation operation, const std::vector<Piece<T>>& pieces);

/// Matches when |got - value| <= bound. In this form a NaN does not match. Where the value is NaN or infinite, the
/// result must be NaN or the same infinity.
Verdict check_statistic(double got, const Statistic& reference);

}  // namespace workbook
