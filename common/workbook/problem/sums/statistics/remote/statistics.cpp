// SPDX-License-Identifier: MIT
#include "workbook/student/statistics.h"

#include "workbook/remote/entry.h"

using workbook::Operation;
using workbook::StatisticsWorkspace;

WORKBOOK_TEMPLATE_ENTRY(void, statistic_on_device<float>,
                        (Operation operation, const float* numbers, std::size_t n, unsigned block_size,
                         const StatisticsWorkspace& workspace),
                        operation, numbers, n, block_size, workspace)
WORKBOOK_TEMPLATE_ENTRY(void, statistic_on_device<double>,
                        (Operation operation, const double* numbers, std::size_t n, unsigned block_size,
                         const StatisticsWorkspace& workspace),
                        operation, numbers, n, block_size, workspace)
WORKBOOK_TEMPLATE_ENTRY(void, statistic_on_device<int>,
                        (Operation operation, const int* numbers, std::size_t n, unsigned block_size,
                         const StatisticsWorkspace& workspace),
                        operation, numbers, n, block_size, workspace)
