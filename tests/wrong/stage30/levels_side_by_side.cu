// refused: misaligned: the second level above the table begins right behind the first one
// SPDX-License-Identifier: MIT
// shown by: --size 8388641x64 --block-size 256
// hint: misaligned-global
// Right for every table with one level above it.
#include "../stage30_but_entry.cuh"

Index make_index_side_by_side(const workbook::Search& search, std::uint32_t* samples, unsigned block_size,
                              cudaStream_t stream) {
  const std::size_t begin = reinterpret_cast<std::uintptr_t>(search.keys) / sizeof(std::uint32_t) % kLine;
  const Level table{search.keys - begin, begin, begin + search.n};
  Index index{{table}, 1, table, 0, 0};
  while (!fits_into_top(index.last, block_size)) {
    const std::size_t lines = index.last.line_count();
    const auto blocks = static_cast<unsigned>(divide_up(lines, block_size));
    sample_lines<<<blocks, block_size, 0, stream>>>(index.last, samples);
    CUDA_CHECK(cudaGetLastError());
    index.last = index.levels[index.level_count++] = {samples, 0, lines};
    samples += lines;
  }
  index.top_count = static_cast<unsigned>(index.last.line_count());
  while ((1u << index.top_depth) < index.top_count) {
    ++index.top_depth;
  }
  return index;
}

void search_in_workspace_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                                   cudaStream_t stream) {
  if (search.m == 0) {
    return;  // a grid without blocks cannot be launched
  }
  if (search.n == 0) {
    CUDA_CHECK(cudaMemsetAsync(search.places, 0, search.m * sizeof(std::uint32_t), stream));
    return;
  }
  const Index index = make_index_side_by_side(search, workspace, block_size, stream);
  const auto blocks = static_cast<unsigned>(divide_up(search.m, block_size));
  const std::size_t top_bytes = sizeof(std::uint32_t) << index.top_depth;
  workbook::with_type_and_bound(search, [&](auto type, auto bound) {
    const auto kernel = search_lines<decltype(type)::value, decltype(bound)::value>;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(top_bytes)));
    kernel<<<blocks, block_size, top_bytes, stream>>>(index, search.queries, search.m, search.places);
    CUDA_CHECK(cudaGetLastError());
  });
}
