// SPDX-License-Identifier: MIT
// The answer of stage 34 without the store of a block's piece: the including file has its own.
#include "runs.cuh"
#include "workbook/student/block_sort.h"

struct Shared;

template <bool kOwnIsRight>
__device__ void merge_piece(Shared& shared, workbook::KeyType type, workbook::ConstRecords from, workbook::Records to,
                            const Runs& runs);

// Renames the answer's definition. It leaves its calls alone, as no parenthesis follows the name there.
#define merge_piece(...) right_merge_piece(__VA_ARGS__)
#include "recompiled_answer.cuh"
#undef merge_piece
