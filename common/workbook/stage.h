// SPDX-License-Identifier: MIT
// A stage as a row. workbook_stage() in scripts/cmake/WorkbookStage.cmake fills it in from one line of
// stages/CMakeLists.txt, so that a student's file holds nothing of it.
#pragma once

namespace workbook {

struct Stage {
  int number = 0;
  const char* title = "";      ///< the idea: "global memory only"
  const char* source = "";     ///< the file that this program was made of: "stages/stage01/todo.cu"
  unsigned block_size = 0;     ///< threads a block unless the command line says otherwise; 0: the problem's own default
  int compute_capability = 0;  ///< that the program needs, 90 for 9.0; 0: any that the toolkit compiles for
};

/// The row of the program that is running. Defined by stage_row.cpp, compiled once for each program.
const Stage& this_stage();

}  // namespace workbook
