// SPDX-License-Identifier: MIT
// The answer of stage 26, but how a tile is searched: its kernel takes the search_tile of the file that includes this.
#include "workbook/find.h"

struct Layout;
template <typename T>
__device__ void search_tile(const T* keys, const Layout& layout, std::size_t tile, T x, unsigned long long* first);

// Renames the answer's definition, and not its call: there `<T>` follows the name.
#define search_tile(...) right_search_tile(__VA_ARGS__)
#include "../../answers/stage26/solution.cu"
#undef search_tile
