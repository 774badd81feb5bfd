// SPDX-License-Identifier: MIT
// One run of a stage's function inside a test, whatever its problem. On an unsolved stage the whole program ends with
// status 77, which ctest shows as skipped.
#pragma once

#include <array>
#include <cstddef>

#include "workbook/run.h"

namespace workbook {

/// Makes the case and runs it once, also on a GPU: there is nothing to time here. Reports a result that does not match,
/// with the command that shows it again. False: stop, for the stage is unsolved or the device no longer answers.
bool matches(const Problem& problem, const Settings& settings);

/// The same for each of several block sizes, the case made once.
bool matches(Case& one_case, Settings settings, const unsigned* block_sizes, std::size_t count);

template <std::size_t kCount>
bool matches_with_block_sizes(const Problem& problem, const Settings& settings,
                              const std::array<unsigned, kCount>& block_sizes) {
  return matches(*problem.make_case(settings), settings, block_sizes.data(), kCount);
}

}  // namespace workbook
