// SPDX-License-Identifier: MIT
// The answer of stage 33 without its sweep: the including file has its own.
#include "linked_answer.cuh"

template <unsigned kSteps, typename Element>
__global__ void sweep(workbook::KeyType type, workbook::Records records, std::size_t n, unsigned log_last,
                      bool is_mirrored);

// Renames the answer's definition. It leaves its launch alone, as no parenthesis follows the name there.
#define sweep(...) right_sweep(__VA_ARGS__)
#include "../../solution.cu"
#undef sweep
