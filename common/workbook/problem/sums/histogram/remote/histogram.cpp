// SPDX-License-Identifier: MIT
#include "workbook/student/histogram.h"

#include "workbook/remote/entry.h"

using workbook::Bins;

WORKBOOK_TEMPLATE_ENTRY(void, histogram_on_device<std::uint32_t>,
                        (const std::uint32_t* samples, std::size_t n, const Bins& bins, unsigned* counts,
                         unsigned block_size, cudaStream_t stream),
                        samples, n, bins, counts, block_size, stream)
WORKBOOK_TEMPLATE_ENTRY(void, histogram_on_device<std::uint8_t>,
                        (const std::uint8_t* samples, std::size_t n, const Bins& bins, unsigned* counts,
                         unsigned block_size, cudaStream_t stream),
                        samples, n, bins, counts, block_size, stream)
WORKBOOK_TEMPLATE_ENTRY(void, histogram_on_device<float>,
                        (const float* samples, std::size_t n, const Bins& bins, unsigned* counts, unsigned block_size,
                         cudaStream_t stream),
                        samples, n, bins, counts, block_size, stream)
