// SPDX-License-Identifier: MIT
// The answer of stage 31, but its kernel: it takes the merge_tiles of the file that includes this.
#include "workbook/binary_search.h"

struct Lists;

template <workbook::KeyType kType, workbook::Bound kBound>
__global__ void merge_tiles(Lists lists, const std::uint32_t* splits, std::uint32_t* places);

// Renames the answer's definition, and not its calls: there `<kType` follows the name.
#define merge_tiles(...) right_merge_tiles(__VA_ARGS__)
#include "../../answers/stage31/solution.cu"
#undef merge_tiles
