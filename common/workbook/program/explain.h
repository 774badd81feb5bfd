// SPDX-License-Identifier: MIT
// Explains a result that does not match: finds a small case that fails too, and a diagnosis of the function.
#pragma once

#include "workbook/case/run.h"
#include "workbook/case/stage.h"

namespace workbook {

/// The smallest case found that fails as `failed` does, with its diagnosis. It takes about a second at most. Exceptions
/// of the student's function in a smaller case pass through; then `current` is that case.
RunResult explain(const Problem& problem, const RunResult& failed, const BlockRule& rule, unsigned char poison,
                  Settings& current);

}  // namespace workbook
