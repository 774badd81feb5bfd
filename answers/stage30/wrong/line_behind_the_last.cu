// refused: out-of-bounds: where the last line is whole, one more line is sampled, which begins behind the table
// SPDX-License-Identifier: MIT
// shown by: --size 262176x64 --block-size 256
// hint: outside-global
#define sample_lines(...) right_sample_lines(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

__global__ void sample_lines(Level level, std::uint32_t* samples) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::size_t position = max(i * kLine, level.begin);
  if (position <= level.end) {
    samples[i] = level.lines[position];
  }
}
