// SPDX-License-Identifier: MIT
#include "workbook/remote/entry.h"
#include "workbook/student/find.h"

using workbook::FindAllWorkspace;
using workbook::Hits;

WORKBOOK_TEMPLATE_ENTRY(void, find_all_on_device<unsigned>,
                        (const unsigned* keys, std::size_t n, unsigned x, const Hits& hits, unsigned block_size,
                         const FindAllWorkspace& workspace),
                        keys, n, x, hits, block_size, workspace)
WORKBOOK_TEMPLATE_ENTRY(void, find_all_on_device<int>,
                        (const int* keys, std::size_t n, int x, const Hits& hits, unsigned block_size,
                         const FindAllWorkspace& workspace),
                        keys, n, x, hits, block_size, workspace)
WORKBOOK_TEMPLATE_ENTRY(void, find_all_on_device<float>,
                        (const float* keys, std::size_t n, float x, const Hits& hits, unsigned block_size,
                         const FindAllWorkspace& workspace),
                        keys, n, x, hits, block_size, workspace)
