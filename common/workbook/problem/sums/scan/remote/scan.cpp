// SPDX-License-Identifier: MIT
#include "workbook/student/scan.h"

#include "workbook/remote/entry.h"

using workbook::Affine;
using workbook::Scan;
using workbook::ScanWorkspace;

WORKBOOK_TEMPLATE_ENTRY(void, scan_on_device<int>,
                        (Scan scan, const int* input, int* output, std::size_t n, unsigned block_size,
                         const ScanWorkspace& workspace),
                        scan, input, output, n, block_size, workspace)
WORKBOOK_TEMPLATE_ENTRY(void, scan_on_device<float>,
                        (Scan scan, const float* input, float* output, std::size_t n, unsigned block_size,
                         const ScanWorkspace& workspace),
                        scan, input, output, n, block_size, workspace)
WORKBOOK_TEMPLATE_ENTRY(void, scan_on_device<Affine>,
                        (Scan scan, const Affine* input, Affine* output, std::size_t n, unsigned block_size,
                         const ScanWorkspace& workspace),
                        scan, input, output, n, block_size, workspace)
