// SPDX-License-Identifier: MIT
// What follows from a stage's row and its problem.
#pragma once

#include "workbook/case/problem.h"
#include "workbook/case/stage_row.h"

namespace workbook {

/// One sentence where the file differs from the file that the program was built from. Returns "" where both are the
/// same, or one is missing.
std::string changed_since_built(const Stage& stage);

/// The blocks that the stage must accept. Throws std::logic_error where the row names a block that the problem does not
/// take.
BlockRule block_rule(const Stage& stage, const Problem& problem);

/// Replaces typed powers of two by their digits: "2^10x48" becomes "1024x48".
std::string spelled_out(const std::string& text);

/// Parses "256", "2^8" or "32x8". Returns false where the text is no block.
bool parse_block(const std::string& text, dim3& block);
std::string text_of(const dim3& block);

/// Examples: "16777216", "4096x2048".
std::string text_of(const Sizes& sizes);

}  // namespace workbook
