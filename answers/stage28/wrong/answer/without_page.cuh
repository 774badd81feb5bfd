// SPDX-License-Identifier: MIT
// The answer of stage 28 without the search of a page: its kernels take the hits_of_page of the including file.
#include "workbook/student/find.h"

template <typename T>
__device__ unsigned hits_of_page(const T* keys, std::size_t page, std::size_t end, T x);

// Renames the answer's definition. It leaves its calls alone, as `<T>` follows the name there.
#define hits_of_page(...) right_hits_of_page(__VA_ARGS__)
#include "../../solution.cu"
#undef hits_of_page
