// refused: wrong-result: the queries behind the last whole block have no thread
// SPDX-License-Identifier: MIT
// shown by: --size 1000x333
// hint: output-not-written
#define search_on_device right_search_on_device
#include "../solution.cu"
#undef search_on_device

void search_on_device(const workbook::Search& search, unsigned block_size, cudaStream_t stream) {
  if (search.m < block_size) {
    return right_search_on_device(search, block_size, stream);
  }
  workbook::with_type_and_bound(search, [&](auto type, auto bound) {
    search_each<decltype(type)::value, decltype(bound)::value><<<search.m / block_size, block_size, 0, stream>>>(
        search.keys, search.n, search.queries, search.m, search.places);
    CUDA_CHECK(cudaGetLastError());
  });
}
