// SPDX-License-Identifier: MIT
// The answer of stage 31 for searches of one type and bound, WRONG_SEARCH; linked_answer.cuh makes all others. The
// including file has one of the functions below, and a macro that renames the answer's definition of it. The macro
// leaves the calls alone, as `<` follows the name there. It leaves the declaration here alone, as the name is in
// parentheses.
#include "linked_answer.cuh"

#ifndef WRONG_SEARCH
#define WRONG_SEARCH KeyType::unsigned_ints, Bound::lower
#endif

struct Lists;
template <workbook::KeyType kType, workbook::Bound kBound>
__device__ std::size_t(keys_before)(std::size_t step, const Lists& lists);
template <workbook::KeyType kType, workbook::Bound kBound>
__global__ void(split_merge)(Lists lists, std::size_t tiles, std::uint32_t* splits);
template <workbook::KeyType kType, workbook::Bound kBound, unsigned kAtOnce>
__device__ void(search_tile)(const std::uint32_t* tile_keys, std::uint32_t first_key, std::uint32_t key_count,
                             const std::uint32_t* queries, std::uint32_t query_count, std::uint32_t* places);
template <workbook::KeyType kType, workbook::Bound kBound>
__global__ void(merge_tiles)(Lists lists, const std::uint32_t* splits, std::uint32_t* places);

#define with_type_and_bound with_one_type_and_bound<WRONG_SEARCH>
#define search_sorted_on_device wrong_search_sorted_on_device
#include "../../solution.cu"
#undef with_type_and_bound
#undef search_sorted_on_device
#undef keys_before
#undef split_merge
#undef search_tile
#undef merge_tiles

void search_sorted_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                             cudaStream_t stream) {
  const bool is_wrong = std::pair(search.type, search.bound) == std::pair(WRONG_SEARCH);
  (is_wrong ? wrong_search_sorted_on_device : right::search_sorted_on_device)(search, workspace, block_size, stream);
}
#undef WRONG_SEARCH
