// SPDX-License-Identifier: MIT
// The answer of stage 33, but its sweep: the file that includes this brings its own.
#include "linked_answer.cuh"

template <unsigned kSteps, typename Element>
__global__ void sweep(workbook::KeyType type, workbook::Records records, std::size_t n, unsigned log_last,
                      bool is_mirrored);

// Renames the answer's definition, and not its launch: there no parenthesis follows the name.
#define sweep(...) right_sweep(__VA_ARGS__)
#include "../../solution.cu"
#undef sweep
