// SPDX-License-Identifier: MIT
#include "workbook/student/picture.h"

#include "workbook/remote/entry.h"

WORKBOOK_ENTRY(void, map_on_device,
               (workbook::Map map, const workbook::Pixel* input, workbook::Pixel* output, workbook::Extents extents,
                unsigned width, dim3 block, cudaStream_t stream),
               map, input, output, extents, width, block, stream)
