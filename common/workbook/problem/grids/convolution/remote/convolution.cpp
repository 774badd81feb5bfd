// SPDX-License-Identifier: MIT
#include "workbook/student/grids/convolution.h"

#include "workbook/remote/entry.h"

WORKBOOK_ENTRY(void, convolve_on_device,
               (workbook::ConstMatrix input, workbook::Matrix output, const workbook::Filter& filter, dim3 block,
                cudaStream_t stream),
               input, output, filter, block, stream)
