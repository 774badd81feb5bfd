// SPDX-License-Identifier: MIT
// What a result that does not match comes down to: a small case that fails too, and what the function does with its
// elements.
#pragma once

#include "workbook/case/run.h"
#include "workbook/case/stage.h"

namespace workbook {

/// The smallest case found that fails as `failed` does, with its diagnosis. Takes about a second at most. Lets through
/// what the student's function throws for a smaller case; `current` then is that case.
RunResult explain(const Problem& problem, const RunResult& failed, const BlockRule& rule, unsigned char poison,
                  Settings& current);

}  // namespace workbook
