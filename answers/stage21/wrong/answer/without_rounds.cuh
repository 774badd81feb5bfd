// SPDX-License-Identifier: MIT
// The answer of stage 21 without its loop over the rounds: its kernel takes the add_rounds of the including file.
#include "workbook/student/matmul.h"

template <class Tile, bool kWhole>
class Porter;
template <class Tile, bool kWhole>
__device__ void add_rounds(float (&sums)[8][16], Tile& tile, Porter<Tile, kWhole>& porter, unsigned rounds,
                           unsigned row, unsigned column);

// Renames the answer's definition. It leaves its call alone, as `<Tile, kWhole>` follows the name there.
#define add_rounds(...) right_add_rounds(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef add_rounds
