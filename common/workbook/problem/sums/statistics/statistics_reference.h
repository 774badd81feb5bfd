// SPDX-License-Identifier: MIT
// What a statistic should be, on the CPU, and how far a result may be from it. Sums are compensated, products carry
// their rounding errors along, the deviation takes two passes: first the mean, then the squares of what is left.
#pragma once

#include <cstddef>
#include <vector>

#include "workbook/case/verdict.h"
#include "workbook/student/statistics.h"

namespace workbook {

/// The word for it on the command line and in reports: "sum", "product", "min", "max", "mean", "deviation".
const char* name_of(Operation operation);

/// Numbers that are there `times` times: a long input may be told by what it repeats.
template <typename T>
struct Piece {
  const T* numbers = nullptr;
  std::size_t count = 0;
  std::size_t times = 1;
};

/// Additions in one thread, one after another, that a stage may spend on top of its trees, over all its passes.
/// Enough for 16 elements a thread in each of three passes, which is more than any stage here uses.
constexpr int kSerialAdditions = 64;

/// The deepest chain of additions that a sum of n numbers may use: a tree over all of them, ceil(log2(n)), and
/// kSerialAdditions more for coarsening; no order of additions is deeper than n - 1.
int addition_depth(std::size_t n);

struct Statistic {
  Operation operation = Operation::sum;
  std::size_t size = 0;
  double value = 0.0;
  double bound = 0.0;  ///< what the error must not exceed; 0: to the bit
  double unit = 0.0;   ///< what the bound is a multiple of, u times a size; 0 where nothing is rounded
};

/// The statistic of all pieces together. With u = 2^-24 for floats and 2^-53 for doubles, its bound is
///
///   minimum, maximum, everything of ints but mean and deviation, and what no order rounds (below)   0
///   sum        2 * depth * u * sum|x|: each addition is off by at most u of its result, so a sum whose longest chain
///              has `depth` additions is off by at most depth * u * sum|x| to first order (N. Higham, Accuracy and
///              Stability of Numerical Algorithms, 2nd ed., section 4.2); the factor 2 covers the terms of higher order
///              and the reference's own rounding. It scales with sum|x| and not with |sum|: numbers of both signs may
///              sum to nearly nothing, their rounding errors not
///   product    min(n - 1, 8 * sqrt(n)) * 1.01 * u * |product|: every order has n - 1 multiplications, each off by at
///              most u of its result, and a tree saves none of them. But they do not all err in one direction: where
///              they are independent with mean 0, 8 * sqrt(n) * u is exceeded with a probability below 10^-13
///              (N. Higham and T. Mary, SIAM J. Sci. Comput. 41, 2019, with lambda = 8). statistics_input.h makes
///              such numbers
///   mean, deviation   8 * (depth + 1) * 2^-53 * max|x|, also for floats and ints. A merge of two means by
///              mean_a + (mean_b - mean_a) * w is off by at most 7 u * max|x|, a division of a sum by less; errors of a
///              merge's parts are averaged, and those of its levels add up. The same holds for the deviation: merged
///              pairwise, the relative error of the sum of squares is about log2(n) * u * kappa (T. Chan, G. Golub, R.
///              LeVeque, The American Statistician 37, 1983, table 1), where kappa * deviation, the root of the mean
///              square, is at most max|x|. The sum of squares minus the square of the sum has kappa^2 instead, which
///              no such bound allows
///
/// No order rounds a sum of integers where sum|x| is at most 2^24 (double: 2^53), nor a product of powers of two whose
/// exponents' sizes add up to 100 at most. One number is all of its statistics, to the bit.
template <typename T>
Statistic reference_statistic(Operation operation, const std::vector<Piece<T>>& pieces);

/// Matches when |got - value| <= bound: written so that a NaN does not. Where the value is NaN or infinite, the result
/// must be NaN or the same infinity.
Verdict check_statistic(double got, const Statistic& reference);

}  // namespace workbook
