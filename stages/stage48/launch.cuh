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

/// Launches whole_rows where a block has room for a row, and else in_parts. Where the device has not the registers for
/// one row, it launches two_reads.
template <typename WholeRows, typename InParts, typename TwoReads>
void launch_rows(WholeRows whole_rows, InParts in_parts, TwoReads two_reads, workbook::ConstMatrix input,
                 workbook::Matrix output, unsigned block_size, const workbook::RowWorkspace& workspace) {
  Cut cut = cut_rows(input.columns, block_size);
  if (cut.parts == 1) {
    const std::size_t blocks = (input.rows + cut.block.y - 1) / cut.block.y;
    whole_rows<<<static_cast<unsigned>(blocks), cut.block, 0, workspace.stream>>>(input, output);
    CUDA_CHECK(cudaGetLastError());
    return;
  }
  const std::size_t resident = resident_blocks(in_parts, cut.block), words = input.rows * cut.parts + 1;
  if (resident < cut.parts) {
    const auto blocks = static_cast<unsigned>(std::min<std::size_t>(input.rows, 65'536));
    two_reads<<<blocks, block_size, 0, workspace.stream>>>(input, output);
    CUDA_CHECK(cudaGetLastError());
    return;
  }
  CUDA_CHECK(cudaMemsetAsync(workspace.words, 0xFF, words * sizeof(Word), workspace.stream));
  // A cooperative launch: all blocks run at the same time, or it fails.
  Board board{workspace.words, workspace.words + 1};
  void* arguments[] = {&input, &output, &cut.parts, &board};
  const dim3 grid(static_cast<unsigned>(std::min(input.rows * cut.parts, resident)));
  CUDA_CHECK(cudaLaunchCooperativeKernel(in_parts, grid, cut.block, arguments, 0, workspace.stream));
}
