// refused: wrong-result: std::malloc() gives pageable memory, and a copy of it waits for the CPU
// SPDX-License-Identifier: MIT
// shown by: --size 4100 --piece 1000
// hint: pageable-memory
#include <cstdlib>

#include "workbook/student/pieces.h"

#define allocate_on_host right_allocate_on_host  // all but what follows is the answer
#define free_on_host right_free_on_host
#include "../solution.cu"
#undef allocate_on_host
#undef free_on_host

void* allocate_on_host(std::size_t bytes) { return std::malloc(bytes); }
void free_on_host(void* memory) { std::free(memory); }
