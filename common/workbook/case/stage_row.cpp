// SPDX-License-Identifier: MIT
// The row of one stage, from the definitions that workbook_stage() hands to the compiler.
#include "workbook/case/stage_row.h"

namespace workbook {

const Stage& this_stage() {
  static const Stage stage{WORKBOOK_STAGE_NUMBER, WORKBOOK_STAGE_TITLE,      WORKBOOK_STAGE_SOURCE,
                           WORKBOOK_STAGE_BLOCK,  WORKBOOK_STAGE_BLOCKS,     WORKBOOK_STAGE_COMPUTE_CAPABILITY,
                           WORKBOOK_STAGE_FILE,   WORKBOOK_STAGE_BUILT_FROM, WORKBOOK_STAGE_DEFAULT_STREAM};
  return stage;
}

}  // namespace workbook
