// SPDX-License-Identifier: MIT
// The answer of stage 30 for searches of one type and bound, WRONG_SEARCH; linked_answer.cuh makes all others. The
// including file has one of the functions below, and a macro that renames the answer's definition of it. The macro
// leaves the calls alone, as `<` follows the name there. It leaves the declaration here alone, as the name is in
// parentheses.
#include "linked_answer.cuh"

#ifndef WRONG_SEARCH
#define WRONG_SEARCH KeyType::unsigned_ints, Bound::lower
#endif

struct Index;
struct Level;
__global__ void(sample_lines)(Level level, std::uint32_t* samples);
template <workbook::KeyType kType>
__device__ void(fill_top)(std::uint32_t* top, const Index& index);
template <workbook::Bound kBound>
__device__ unsigned(line_by_top)(const std::uint32_t* top, std::uint32_t query, const Index& index);
template <workbook::KeyType kType, workbook::Bound kBound, bool kIsWhole>
__device__ unsigned(count_by_teams)(const Level& level, unsigned line, std::uint32_t query);
template <workbook::KeyType kType, workbook::Bound kBound>
__device__ std::size_t(position_in)(const Level& level, unsigned line, std::uint32_t query);
template <workbook::KeyType kType, workbook::Bound kBound>
__global__ void(search_lines)(Index index, const std::uint32_t* queries, std::uint32_t m, std::uint32_t* places);

#define with_type_and_bound with_one_type_and_bound<WRONG_SEARCH>
#define search_in_workspace_on_device wrong_search_in_workspace_on_device
#include "../../solution.cu"
#undef with_type_and_bound
#undef search_in_workspace_on_device
#undef sample_lines
#undef fill_top
#undef line_by_top
#undef count_by_teams
#undef position_in
#undef search_lines

void search_in_workspace_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                                   cudaStream_t stream) {
  const bool is_wrong = std::pair(search.type, search.bound) == std::pair(WRONG_SEARCH);
  (is_wrong ? wrong_search_in_workspace_on_device : right::search_in_workspace_on_device)(search, workspace, block_size,
                                                                                          stream);
}
#undef WRONG_SEARCH
