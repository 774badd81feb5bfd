// refused: wrong-result: the table begins within a line of memory, and what lies in front of it is taken for a sample
// SPDX-License-Identifier: MIT
// shown by: --size 300007x5003 --block-size 256 --misalign 17
// hint: search-levels
#define sample_lines(...) right_sample_lines(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

__global__ void sample_lines(Level level, std::uint32_t* samples) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (const std::size_t position = i * kLine; position < level.end) {
    samples[i] = level.lines[position];
  }
}
