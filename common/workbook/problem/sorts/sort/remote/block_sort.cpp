// SPDX-License-Identifier: MIT
#include "workbook/remote/entry.h"
#include "workbook/student/sort.h"

WORKBOOK_ENTRY(void, sort_on_device,
               (workbook::KeyType type, workbook::ConstRecords input, workbook::Records output, std::size_t n,
                const workbook::SortWorkspace& workspace, unsigned block_size, cudaStream_t stream),
               type, input, output, n, workspace, block_size, stream)
