// SPDX-License-Identifier: MIT
// The answer of stage 31, but the kernel of its splits: it takes the split_merge of the file that includes this.
#include "workbook/binary_search.h"

struct Lists;

template <workbook::KeyType kType, workbook::Bound kBound>
__global__ void split_merge(Lists lists, std::size_t tiles, std::uint32_t* splits);

// Renames the answer's definition, and not its calls: there `<kType` follows the name.
#define split_merge(...) right_split_merge(__VA_ARGS__)
#include "../../answers/stage31/solution.cu"
#undef split_merge
