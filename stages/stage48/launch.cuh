// SPDX-License-Identifier: MIT
// How the kernels are launched.
#pragma once

#include <algorithm>
#include <cstddef>

#include "cut.cuh"
#include "row_state.cuh"

/// The blocks of a kernel that run on the device at the same time.
template <typename Kernel>
std::size_t resident_blocks(Kernel kernel, dim3 block) {
  int device = 0, multiprocessors = 1, blocks = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(block.x * block.y), 0));
  return static_cast<std::size_t>(blocks) * static_cast<std::size_t>(multiprocessors);
}

/// Launches one_read, whose blocks may have a part of a row each. Where the device has not the registers for one row,
/// it launches two_reads.
template <typename OneRead, typename TwoReads>
void launch_rows(OneRead one_read, TwoReads two_reads, workbook::ConstMatrix input, workbook::Matrix output,
                 unsigned block_size, const workbook::RowWorkspace& workspace) {
  Cut cut = cut_rows(input.columns, block_size);
  if (cut.blocks_a_row == 1) {
    const std::size_t blocks = (input.rows + cut.block.y - 1) / cut.block.y;
    one_read<<<static_cast<unsigned>(blocks), cut.block, 0, workspace.stream>>>(input, output, 1, nullptr);
    CUDA_CHECK(cudaGetLastError());
    return;
  }
  const std::size_t teams = std::min(input.rows, resident_blocks(one_read, cut.block) / cut.blocks_a_row);
  if (teams == 0) {
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(input.rows, 65'536));
    two_reads<<<blocks, block_size, 0, workspace.stream>>>(input, output);
    CUDA_CHECK(cudaGetLastError());
    return;
  }
  CUDA_CHECK(cudaMemsetAsync(workspace.words, 0xFF, input.rows * cut.blocks_a_row * sizeof(Word), workspace.stream));
  // A cooperative launch: all blocks run at the same time, or it fails.
  Word* words = workspace.words;
  void* arguments[] = {&input, &output, &cut.blocks_a_row, &words};
  const dim3 grid(static_cast<unsigned>(teams * cut.blocks_a_row));
  CUDA_CHECK(cudaLaunchCooperativeKernel(one_read, grid, cut.block, arguments, 0, workspace.stream));
}
