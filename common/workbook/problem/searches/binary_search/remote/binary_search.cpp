// SPDX-License-Identifier: MIT
#include "workbook/student/binary_search.h"

#include "workbook/remote/entry.h"

WORKBOOK_ENTRY(void, search_on_device, (const workbook::Search& search, unsigned block_size, cudaStream_t stream),
               search, block_size, stream)
