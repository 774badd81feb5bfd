// refused: wrong-result: each block leaves its part in the workspace, and no kernel adds them up
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x1000
// hint: output-not-written
#define WRONG add_parts
#include "answer/without_one_function.cuh"

__global__ void add_parts(Matrix, WorkPartition, const float*, int) {}
