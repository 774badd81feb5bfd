// SPDX-License-Identifier: MIT
#include "workbook/student/find.h"

#include "workbook/remote/entry.h"

using workbook::FindWorkspace;

WORKBOOK_TEMPLATE_ENTRY(void, find_on_device<unsigned>,
                        (const unsigned* keys, std::size_t n, unsigned x, unsigned block_size,
                         const FindWorkspace& workspace),
                        keys, n, x, block_size, workspace)
WORKBOOK_TEMPLATE_ENTRY(void, find_on_device<int>,
                        (const int* keys, std::size_t n, int x, unsigned block_size, const FindWorkspace& workspace),
                        keys, n, x, block_size, workspace)
WORKBOOK_TEMPLATE_ENTRY(void, find_on_device<float>,
                        (const float* keys, std::size_t n, float x, unsigned block_size,
                         const FindWorkspace& workspace),
                        keys, n, x, block_size, workspace)
