// SPDX-License-Identifier: MIT
// A stage as a row. workbook_stage() in scripts/cmake/WorkbookStage.cmake fills it in from one line of
// stages/CMakeLists.txt, so that a student's file holds nothing of it.
#pragma once

#include "workbook/problem.h"

namespace workbook {

struct Stage {
  int number = 0;
  const char* title = "";       ///< the idea: "global memory only"
  const char* source = "";      ///< the file that this program was made of: "stages/stage01/todo.cu"
  const char* block = "";       ///< threads a block unless the command line says otherwise, "1024"; "": the problem's
  const char* blocks = "";      ///< the only blocks that it takes, "32x32 16x16 8x8"; "": all of the problem's
  int compute_capability = 0;   ///< that the program needs, 90 for 9.0; 0: any that the toolkit compiles for
  const char* file = "";        ///< `source` as a whole path; "": not known
  const char* built_from = "";  ///< a copy of it, as it was compiled
  bool has_default_stream = false;  ///< all its launches go into the default stream, whatever the caller's
};

/// The row of the program that is running. Defined by stage_row.cpp, compiled once for each program.
const Stage& this_stage();

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
