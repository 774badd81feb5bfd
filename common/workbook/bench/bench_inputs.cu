// SPDX-License-Identifier: MIT
// Tiling by copies, and a comparison on the device. An input may have 4 GiB, and a stage may change any of it.
#include "workbook/bench/bench_inputs.h"

namespace workbook::bench_detail {
namespace {

__global__ void compare(const unsigned* memory, std::size_t words, std::size_t first, const unsigned* period,
                        std::size_t period_words, unsigned* differs) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < words; i += step) {
    if (memory[i] != period[(first + i) % period_words]) atomicOr(differs, 1u);
  }
}

}  // namespace

void tile(unsigned* memory, std::size_t words, const unsigned* period, std::size_t period_words) {
  for (std::size_t i = 0; i < words; i += period_words) {
    const std::size_t count = std::min(period_words, words - i);
    CUDA_CHECK(cudaMemcpyAsync(memory + i, period, count * sizeof(unsigned), cudaMemcpyDeviceToDevice));
  }
}

bool differs(const unsigned* memory, std::size_t words, std::size_t first, const unsigned* period,
             std::size_t period_words) {
  constexpr unsigned kThreads = 256;
  constexpr std::size_t kMostBlocks = 4096;
  DeviceArray<unsigned> flag(1);
  flag.fill(0);
  const std::size_t blocks = std::min((words + kThreads - 1) / kThreads, kMostBlocks);
  compare<<<static_cast<unsigned>(blocks), kThreads>>>(memory, words, first, period, period_words, flag.data());
  CUDA_CHECK(cudaGetLastError());
  return read_back(flag.data()) != 0;
}

}  // namespace workbook::bench_detail
