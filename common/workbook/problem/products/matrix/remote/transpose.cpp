// SPDX-License-Identifier: MIT
#include "workbook/remote/entry.h"
#include "workbook/student/matrix.h"

WORKBOOK_ENTRY(void, transpose_on_device,
               (workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream), input, output,
               block, stream)
