// SPDX-License-Identifier: MIT
// The answer of stage 31, but the search in a tile: it takes the search_tile of the file that includes this.
#include "workbook/binary_search.h"

template <workbook::KeyType kType, workbook::Bound kBound, unsigned kAtOnce>
__device__ void search_tile(const std::uint32_t* tile_keys, std::uint32_t first_key, std::uint32_t key_count,
                            const std::uint32_t* queries, std::uint32_t query_count, std::uint32_t* places);

// Renames the answer's definition, and not its calls: there `<kType` follows the name.
#define search_tile(...) right_search_tile(__VA_ARGS__)
#include "../../answers/stage31/solution.cu"
#undef search_tile
