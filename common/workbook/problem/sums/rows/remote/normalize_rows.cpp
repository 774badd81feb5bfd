// SPDX-License-Identifier: MIT
#include "workbook/remote/entry.h"
#include "workbook/student/rows.h"

WORKBOOK_ENTRY(void, normalize_rows_on_device,
               (workbook::RowOperation operation, workbook::ConstMatrix input, workbook::Matrix output,
                unsigned block_size, const workbook::RowWorkspace& workspace),
               operation, input, output, block_size, workspace)
