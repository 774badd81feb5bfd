// SPDX-License-Identifier: MIT
// The answer of stage 27 for unsigned keys; those of other types are left to the right one. The file that includes this
// has one of the functions below: a macro renames the answer's definition of it, and not its calls, as there no
// parenthesis follows the name, and not the declaration here, where the name is in parentheses.
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
