// SPDX-License-Identifier: MIT
#include "workbook/remote/entry.h"
#include "workbook/student/gemv.h"

WORKBOOK_ENTRY(void, multiply_vector_transposed_on_device,
               (workbook::ConstMatrix a, const float* x, float* y, const workbook::GemvWorkspace& workspace,
                unsigned block_size, cudaStream_t stream),
               a, x, y, workspace, block_size, stream)
