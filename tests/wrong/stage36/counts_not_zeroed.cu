// refused: out-of-bounds: the digits of all keys are added to what was in memory before, and so are the places
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: outside-global
#include "workbook/sort.h"

// All but the counts, which come first in the workspace.
#define cudaMemsetAsync(memory, value, bytes, stream) \
  cudaMemsetAsync(static_cast<char*>(memory) + 4096, value, (bytes)-4096, stream)
#include "../stage36_answer.cuh"
#undef cudaMemsetAsync
