// SPDX-License-Identifier: MIT
// What is known only when all findings of a launch are there: which of them may follow from an earlier one, and which
// library's function was used against its rules.
#pragma once

#include <set>
#include <vector>

#include "program/launch.h"
#include "program/program.h"

namespace cudasim {

/// Sets Finding::follows, and the advice where a library's rule is broken. Removes findings about a value that nothing
/// wrote, where an earlier finding says that it was read too early.
void name_causes(const Program& program, const Launch& launch, std::vector<Finding>& findings);

/// For a race or an asynchronous copy: the lines of the PTX text that read what may not be there yet.
std::set<int> early_reads(const Finding& finding);

}  // namespace cudasim
