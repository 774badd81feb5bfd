// SPDX-License-Identifier: MIT
// The answer of stage 37 without the length of a row of the tiles of A. It takes the ROW_OF_A of the including file.
#include "workbook/student/matmul.h"

// Renames the answer's definition. It leaves its calls alone, as their argument is another word there.
#define PADDED_unsigned right_padded(unsigned
#define PADDED_kTerms (ROW_OF_A
#define PADDED_kWidth (kWidth + kVector
#define padded(length) PADDED_##length)
#include "quick_to_compile_answer.cuh"
#undef padded
#undef PADDED_kWidth
#undef PADDED_kTerms
#undef PADDED_unsigned
#undef ROW_OF_A
