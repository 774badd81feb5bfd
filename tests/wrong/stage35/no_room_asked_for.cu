// refused: refused-launch: a large tile needs more than 48 KiB of shared memory, and nobody has asked for it
// SPDX-License-Identifier: MIT
// shown by: --size 12000
// hint: too-much-shared
#include "workbook/sort.h"

#define cudaFuncSetAttribute(...) cudaSuccess
#include "../../../answers/stage35/solution.cu"
#undef cudaFuncSetAttribute
