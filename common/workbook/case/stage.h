// SPDX-License-Identifier: MIT
// What follows from a stage's row and its problem.
#pragma once

#include "workbook/case/problem.h"
#include "workbook/case/stage_row.h"

namespace workbook {

/// One sentence where the file is no longer what the program was built from; "" where it is, or one of them is gone.
std::string changed_since_built(const Stage& stage);

/// The blocks that the stage is held to. Throws std::logic_error where the row is none of the problem's.
BlockRule block_rule(const Stage& stage, const Problem& problem);

/// "2^10x48" as "1024x48": powers of two as people type them, with their digits.
std::string spelled_out(const std::string& text);

/// "256", "2^8" or "32x8". No block where it is none of them.
bool parse_block(const std::string& text, dim3& block);
std::string text_of(const dim3& block);

/// "16777216", or "4096x2048".
std::string text_of(const Sizes& sizes);

}  // namespace workbook
