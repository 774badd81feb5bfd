// SPDX-License-Identifier: MIT
#include "workbook/remote/entry.h"
#include "workbook/student/binary_search.h"

WORKBOOK_ENTRY(void, search_in_workspace_on_device,
               (const workbook::Search& search, std::uint32_t* workspace, unsigned block_size, cudaStream_t stream),
               search, workspace, block_size, stream)
