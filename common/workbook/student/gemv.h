// SPDX-License-Identifier: MIT
// The product of a matrix and a vector (GEMV): the functions that a stage defines, and their workspace.
#pragma once

#include "workbook/student/matrix.h"

namespace workbook {

/// The workspace of one product, in device memory. The caller owns it. One product at a time uses it.
struct GemvWorkspace {
  float* partial_sums = nullptr;  ///< Holds gemv_partial_sums() floats at a multiple of 16 bytes, unwritten.
  unsigned* tickets = nullptr;    ///< As many numbers, each 0 before and after each product.
};

/// The size of a workspace. The number of `outputs` is rounded up to a multiple of 4. Each output has one number for
/// each 32 of its `terms`, and one for the rest.
constexpr std::size_t gemv_partial_sums(std::size_t outputs, std::size_t terms) {
  return (outputs + 3) / 4 * 4 * ((terms + 31) / 32);
}

}  // namespace workbook

/// y = A x: y[i] = the sum over j of a(i, j) * x[j], in float. The function only puts work into the stream: no
/// allocation, no copy to the host, no waiting.
///
/// * a           A matrix in DEVICE memory, of any extents, also 0. The gaps between its rows may hold anything, NaN
///               too.
/// * x           Holds a.columns floats in DEVICE memory, at a multiple of 4 bytes only. Where there are none, y
///               becomes zero.
/// * y           Holds a.rows floats in DEVICE memory, at a multiple of 4 bytes only. It overlaps neither a nor x,
///               which must not change.
/// * workspace   See above: with a.rows outputs of a.columns terms.
/// * block_size  Threads a block: one of those that the stage takes (--help lists them).
/// * stream      The stream for all work.
///
/// The additions may have any order, but on one GPU the same numbers give the same bits each time. Throws
/// workbook::CudaError (through CUDA_CHECK) when a launch fails.
void multiply_vector_on_device(workbook::ConstMatrix a, const float* x, float* y,
                               const workbook::GemvWorkspace& workspace, unsigned block_size, cudaStream_t stream);

/// y = A^T x: y[j] = the sum over i of a(i, j) * x[i], as above. Here x has a.rows elements, and y has a.columns. The
/// workspace is for a.columns outputs of a.rows terms.
void multiply_vector_transposed_on_device(workbook::ConstMatrix a, const float* x, float* y,
                                          const workbook::GemvWorkspace& workspace, unsigned block_size,
                                          cudaStream_t stream);
