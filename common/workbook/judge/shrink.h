// SPDX-License-Identifier: MIT
// Shrinks a case that fails to a small case that fails too (test case reduction). Options stay; elements and threads
// become fewer. It uses no device; the caller runs the cases.
#pragma once

#include <functional>
#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

/// The smallest failing case found, or `failing` itself. Sizes go first: 1, 2, 3, ..., then sizes around powers of two,
/// where warps, blocks and tiles end. Bisection covers the sizes between. Each size is tried with the smallest block,
/// then with the block of `failing`. The found size is tried with the blocks between.
/// * `shapes`: the blocks that the stage must accept.
/// * `fails` may return false because there is no time left.
Settings smallest_failing(const Settings& failing, const std::vector<dim3>& shapes,
                          const std::function<bool(const Settings&)>& fails);

}  // namespace workbook
