// SPDX-License-Identifier: MIT
#include "workbook/remote/entry.h"
#include "workbook/student/scan.h"

using workbook::Affine;
using workbook::Scan;

WORKBOOK_TEMPLATE_ENTRY(void, scan_blocks_on_device<int>,
                        (Scan scan, const int* input, int* output, std::size_t n, unsigned block_size,
                         cudaStream_t stream),
                        scan, input, output, n, block_size, stream)
WORKBOOK_TEMPLATE_ENTRY(void, scan_blocks_on_device<float>,
                        (Scan scan, const float* input, float* output, std::size_t n, unsigned block_size,
                         cudaStream_t stream),
                        scan, input, output, n, block_size, stream)
WORKBOOK_TEMPLATE_ENTRY(void, scan_blocks_on_device<Affine>,
                        (Scan scan, const Affine* input, Affine* output, std::size_t n, unsigned block_size,
                         cudaStream_t stream),
                        scan, input, output, n, block_size, stream)
