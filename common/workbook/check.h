// SPDX-License-Identifier: MIT
// Decides whether a float sum matches its reference, and says by how much it may differ and why. Pure: no text layout,
// no device.
#pragma once

#include <cstddef>
#include <string>

#include "workbook/reference.h"

namespace workbook {

/// Additions in one thread, one after another, that a stage may spend on top of its trees, over all its passes.
/// Enough for 16 elements a thread in each of three passes, which is more than any stage here uses.
constexpr int kSerialAdditions = 64;

/// The deepest chain of additions that a sum of n numbers may use: a tree over all of them, ceil(log2(n)), and
/// kSerialAdditions more for coarsening; no order of additions is deeper than n - 1.
int addition_depth(std::size_t n);

/// How far a float sum may be from the reference: 2 * depth * 2^-24 * sum|x|.
/// Reason: each addition in float is off by at most u = 2^-24 of its result, so a sum whose longest chain has `depth`
/// additions is off by at most depth * u * sum|x| to first order (N. Higham, Accuracy and Stability of Numerical
/// Algorithms, 2nd ed., section 4.2); the factor 2 covers the terms of higher order and the reference's own rounding.
/// It scales with sum|x| and not with |sum|: numbers of both signs may sum to nearly nothing, their rounding errors
/// not. 0 for exact data (Reference::is_exact) and for a single number: these must match to the bit.
double error_bound(const Reference& reference);

struct Verdict {
  bool matches = false;
  double error = 0.0;           ///< |got - reference|
  double relative_error = 0.0;  ///< error / |reference|; 0 when both are the same NaN, infinity or 0
  double bound = 0.0;           ///< what `error` must not exceed; 0: to the bit
  std::string reason;           ///< empty when it matches, else one sentence: what is wrong with the value
};

/// Matches when |got - reference| <= bound: written so that a NaN does not. When the reference is NaN or infinite, the
/// result must be NaN or the same infinity.
Verdict check_sum(float got, const Reference& reference);

}  // namespace workbook
