// refused: refused-launch: more than 48 KiB of shared memory are only given to a kernel that has asked
// SPDX-License-Identifier: MIT
// shown by: --size 300007x64 --queries ends --block-size 1024
// hint: too-much-shared
#include "../stage30_but_entry.cuh"

void search_in_workspace_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                                   cudaStream_t stream) {
  if (search.m == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (search.n == 0) {
    CUDA_CHECK(cudaMemsetAsync(search.places, 0, search.m * sizeof(std::uint32_t), stream));
    return;
  }
  int device = 0, multiprocessors = 1;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const Index index = make_index(search, workspace, block_size, stream);
  const std::size_t resident = static_cast<std::size_t>(multiprocessors) * (kThreadsAnSm / block_size);
  const auto blocks = static_cast<unsigned>(std::min(resident, divide_up(search.m, block_size)));
  const std::size_t top_bytes = sizeof(std::uint32_t) << index.top_depth;
  workbook::with_type_and_bound(search, [&](auto type, auto bound) {
    const auto kernel = search_lines<decltype(type)::value, decltype(bound)::value>;
    kernel<<<blocks, block_size, top_bytes, stream>>>(index, search.queries, search.m, search.places);
    CUDA_CHECK(cudaGetLastError());
  });
}
