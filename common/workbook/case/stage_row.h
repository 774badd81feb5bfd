// SPDX-License-Identifier: MIT
// A stage as a row. workbook_stage() in scripts/cmake/WorkbookStage.cmake fills it in from one line of
// stages/CMakeLists.txt, so that a student's file holds nothing of it. No other header comes along: it is compiled once
// for each program.
#pragma once

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

}  // namespace workbook
