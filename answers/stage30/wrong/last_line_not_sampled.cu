// refused: uninitialised: the last line of a level has no sample
// SPDX-License-Identifier: MIT
// shown by: CUDASIM_CHECK=init --size 300007x5003 --block-size 256
// hint: global-not-written
#define sample_lines(...) right_sample_lines(__VA_ARGS__)
#include "answer/one_search_answer.cuh"

__global__ void sample_lines(Level level, std::uint32_t* samples) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < level.end / kLine) {
    samples[i] = level.lines[max(i * kLine, level.begin)];
  }
}
