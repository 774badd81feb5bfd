// SPDX-License-Identifier: MIT
#include "workbook/remote/entry.h"
#include "workbook/student/rows.h"

WORKBOOK_ENTRY(void, softmax_rows_on_device,
               (workbook::ConstMatrix input, workbook::Matrix output, unsigned block_size, cudaStream_t stream), input,
               output, block_size, stream)
