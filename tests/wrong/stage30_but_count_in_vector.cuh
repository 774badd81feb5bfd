// SPDX-License-Identifier: MIT
// The answer of stage 30, but what a lane counts: it takes the count_in_vector of the file that includes this.
#include "workbook/binary_search.h"

struct Level;

template <workbook::KeyType kType, workbook::Bound kBound, bool kIsWhole>
__device__ unsigned count_in_vector(const Level& level, std::size_t position, std::uint32_t query);

// Renames the answer's definition, and not its calls: there `<kType` follows the name.
#define count_in_vector(...) right_count_in_vector(__VA_ARGS__)
#include "../../answers/stage30/solution.cu"
#undef count_in_vector
