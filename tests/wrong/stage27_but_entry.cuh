// SPDX-License-Identifier: MIT
// The answer of stage 27, but its entry, which the file that includes this defines.
#include "workbook/find.h"

#define find_all_on_device right_find_all_on_device
#include "../../answers/stage27/solution.cu"
#undef find_all_on_device
