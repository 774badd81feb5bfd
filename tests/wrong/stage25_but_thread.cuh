// SPDX-License-Identifier: MIT
// The answer of stage 25, but what a thread adds up: its kernel takes the sums_of_thread of the file that includes
// this.
#include "workbook/gemv.h"

template <typename Vector>
struct Columns;
template <typename Vector>
__device__ Vector sums_of_thread(const workbook::ConstMatrix& a, const float* x, const Columns<Vector>& columns,
                                 std::size_t begin, std::size_t end);

// Renames the answer's definition, and not its call: there `<Vector>` follows the name.
#define sums_of_thread(...) right_sums_of_thread(__VA_ARGS__)
#include "../../answers/stage25/solution.cu"
#undef sums_of_thread
