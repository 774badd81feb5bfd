// SPDX-License-Identifier: MIT
// A stage as a row. workbook_stage() in scripts/cmake/WorkbookStage.cmake fills it in from one line of
// stages/CMakeLists.txt. A student's file holds none of it. It includes no other header, because each program
// compiles it.
#pragma once

namespace workbook {

/// A stage: its row of definitions.
struct Stage {
  int number = 0;
  const char* title = "";   ///< The idea: "global memory only".
  const char* source = "";  ///< The source file of this program: "stages/stage01/todo.cu".
  const char* block = "";   ///< The default threads a block, "1024". Empty: the default of the problem.
  const char* blocks = "";  ///< The only blocks that it takes, "32x32 16x16 8x8". Empty: all blocks of the problem.
  int compute_capability =
      0;  ///< The compute capability that the program needs, 90 for 9.0. 0: any that the toolkit compiles for.
  const char* file = "";            ///< `source` as a whole path. Empty: not known.
  const char* built_from = "";      ///< A copy of the source, as it was compiled.
  bool has_default_stream = false;  ///< All its launches go into the default stream, whatever the caller's.
};

/// The row of the running program. stage_row.cpp defines it, compiled once for each program.
const Stage& this_stage();

}  // namespace workbook
