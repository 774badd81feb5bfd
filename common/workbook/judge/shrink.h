// SPDX-License-Identifier: MIT
// From a case that fails to a small one that fails too: the same options, fewer elements and threads. Pure: whether a
// case fails is asked for.
#pragma once

#include <functional>
#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

/// The smallest case found, or `failing` itself. Sizes go first: 1, 2, 3, ..., then around powers of two, where warps,
/// blocks and tiles end; in between by halves. With each size the smallest block is tried before that of `failing`;
/// with the one that was found, those in between. `shapes`: the blocks that the stage is held to. `fails` may say no
/// because there is no time left.
Settings smallest_failing(const Settings& failing, const std::vector<dim3>& shapes,
                          const std::function<bool(const Settings&)>& fails);

}  // namespace workbook
