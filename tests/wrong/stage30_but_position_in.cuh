// SPDX-License-Identifier: MIT
// The answer of stage 30, but how it takes lines and ends: it takes the position_in of the file that includes this.
#include "workbook/binary_search.h"

struct Level;

template <workbook::KeyType kType, workbook::Bound kBound>
__device__ std::size_t position_in(const Level& level, unsigned line, std::uint32_t query);

// Renames the answer's definition, and not its calls: there `<kType` follows the name.
#define position_in(...) right_position_in(__VA_ARGS__)
#include "../../answers/stage30/solution.cu"
#undef position_in
