// SPDX-License-Identifier: MIT
#include "workbook/problem/example/reverse/reverse.h"

#include "workbook/remote/entry.h"

WORKBOOK_ENTRY(void, reverse_on_device,
               (const float* input, float* output, std::size_t n, unsigned block_size, cudaStream_t stream), input,
               output, n, block_size, stream)
