// SPDX-License-Identifier: MIT
// The answer of stage 27 for unsigned keys; linked_answer.cuh searches keys of other types. The including file has one
// of the functions below, and a macro that renames the answer's definition of it. The macro leaves the calls alone, as
// no parenthesis follows the name there. It leaves the declaration here alone, as the name is in parentheses.
#include "linked_answer.cuh"

template <typename T>
__device__ unsigned(hits_of_page)(const T* keys, std::size_t page, std::size_t end, T x);
template <typename T>
__global__ void(store_hits)(const T* keys, std::size_t n, T x, std::size_t pages, const unsigned* offsets,
                            workbook::Hits hits);
template <typename T>
void find_all_on_device(const T* keys, std::size_t n, T x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace);

template <>
void find_all_on_device(const int* keys, std::size_t n, int x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace) {
  right::find_all_on_device(keys, n, x, hits, block_size, workspace);
}
template <>
void find_all_on_device(const float* keys, std::size_t n, float x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace) {
  right::find_all_on_device(keys, n, x, hits, block_size, workspace);
}

#include "../../solution.cu"
#undef hits_of_page
#undef store_hits
