// SPDX-License-Identifier: MIT
// Rows of a matrix that are made comparable: softmax and RMS norm. These are the functions that a stage defines. Each
// row stands for itself, and each number of a row needs something of all numbers of its row.
#pragma once

#include <cstddef>

#include "workbook/student/matrix.h"

namespace workbook {

/// What is made of the numbers x of a row.
///
/// * softmax   exp(x - max) / sum. Here max is the largest number of the row, and sum is that of exp(x - max) over the
///             row. The results are positive and their sum is 1. A number of -inf becomes 0. Where the formula has no
///             value, ALL numbers of the row become NaN: in a row of nothing but -inf (max is -inf), in a row with a
///             +inf (max is +inf), and in a row with a NaN. PyTorch does the same.
/// * rms_norm  x / sqrt(mean + kRmsEpsilon). Here mean is the sum of x * x over the row, divided by the number of
///             columns. One NaN makes all numbers of the row NaN. With an infinite x, that x becomes NaN and all finite
///             numbers of the row become 0. The squares are added in float.
enum class RowOperation : unsigned char { softmax, rms_norm };

constexpr float kRmsEpsilon = 1e-5f;  ///< It keeps a row of zeros from a division by zero.

/// The workspace, in device memory: row_words() words, which nothing has written. The caller owns it. One call at a
/// time uses it.
struct RowWorkspace {
  unsigned long long* words = nullptr;
  cudaStream_t stream = nullptr;  ///< For all work.
};

/// The size of a workspace: for each row a word, and one more for each 1,024 columns. One word more belongs to no row.
constexpr std::size_t row_words(std::size_t rows, std::size_t columns) { return rows * (columns / 1024 + 1) + 1; }

}  // namespace workbook

// In both functions, input and output are matrices in DEVICE memory with the same extents: any number of rows up to
// 2^30, and of columns up to 2^22, also none. Each has a pitch of its own. They do not overlap. The input must not
// change, and the gaps between its rows may hold anything, NaN too. The functions only put work into the stream: no
// allocation, no copy to the host, no waiting. On one GPU the same numbers give the same bits each time. They throw
// workbook::CudaError (through CUDA_CHECK) when a launch fails.

/// Softmax of each row.
///
/// * block_size  Threads a block: one of those that the stage takes (--help lists them).
void softmax_rows_on_device(workbook::ConstMatrix input, workbook::Matrix output, unsigned block_size,
                            cudaStream_t stream);

/// Either operation on each row.
///
/// * block_size  The most threads of a block: one of those that the stage takes. Short rows may have smaller blocks.
/// * workspace   See above: for the rows and columns of the matrices.
void normalize_rows_on_device(workbook::RowOperation operation, workbook::ConstMatrix input, workbook::Matrix output,
                              unsigned block_size, const workbook::RowWorkspace& workspace);
