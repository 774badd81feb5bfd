// SPDX-License-Identifier: MIT
// The answer of stage 28 without its kernel. The find_all of the including file takes its place for unsigned keys.
// Where the file defines WRONG_KEY as T, it does so for all keys. It is for one page a warp, as most cases have it, or
// for WRONG_PAGES. More kernels take long to compile.
#include "linked_answer.cuh"

#ifndef WRONG_KEY
#define WRONG_KEY unsigned
#endif
#ifndef WRONG_PAGES
#define WRONG_PAGES 1
#endif

using namespace right;

template <typename T, unsigned kPages>
__global__ void find_all(const T* keys, std::size_t n, T x, workbook::Hits hits, Board* board, Tile* tiles);

template <typename T>
void find_all_on_device(const T* keys, std::size_t n, T x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace) {
  right::find_all<WRONG_KEY, WRONG_PAGES> = find_all<WRONG_KEY, WRONG_PAGES>;
  right::find_all_on_device(keys, n, x, hits, block_size, workspace);
  right::find_all<WRONG_KEY, WRONG_PAGES> = right_find_all<WRONG_KEY, WRONG_PAGES>;
}
#undef WRONG_KEY
#undef WRONG_PAGES
