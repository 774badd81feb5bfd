// SPDX-License-Identifier: MIT
#include "workbook/remote/entry.h"
#include "workbook/student/grids/heat.h"

WORKBOOK_ENTRY(void, heat_steps_on_device,
               (workbook::ConstVolume input, workbook::Volume output, workbook::Volume scratch, float rate,
                unsigned steps, dim3 block, cudaStream_t stream),
               input, output, scratch, rate, steps, block, stream)
