// refused: misaligned: the second level above the table begins right behind the first one
// SPDX-License-Identifier: MIT
// shown by: --size 8388641x64 --block-size 256
// hint: misaligned-global
// Right for every table with one level above it.
#include "workbook/student/binary_search.h"

struct Index;
struct Wrong {};
Index make_index(Wrong, const workbook::Search& search, std::uint32_t* samples, unsigned block_size,
                 cudaStream_t stream);

// In the answer's definition `Wrong()` is the type of a function, in its call an object: so it comes to this one.
#define make_index(...) make_index(Wrong(), __VA_ARGS__)
#include "answer/one_search_answer.cuh"
#undef make_index

Index make_index(Wrong, const workbook::Search& search, std::uint32_t* samples, unsigned block_size,
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
