// SPDX-License-Identifier: MIT
// The product of a matrix and a vector: the functions that a stage of it defines, and what it may use for them.
#pragma once

#include "workbook/student/matrix.h"

namespace workbook {

/// What one product has to itself beside matrix and vectors, in device memory. Owned by the caller, and used by one
/// product at a time.
struct GemvWorkspace {
  float* partial_sums = nullptr;  ///< gemv_partial_sums() floats at a multiple of 16 bytes, unwritten
  unsigned* tickets = nullptr;    ///< as many numbers, each 0 before and after each product
};

/// How large a workspace is: for each of the `outputs` elements of y, rounded up to a multiple of 4, a number for each
/// 32 of the `terms` that are added up in it, and one for the rest.
constexpr std::size_t gemv_partial_sums(std::size_t outputs, std::size_t terms) {
  return (outputs + 3) / 4 * 4 * ((terms + 31) / 32);
}

}  // namespace workbook

/// y = A x: y[i] = the sum over j of a(i, j) * x[j], in float. Only what has to be put into the stream: no allocation,
/// no copy to the host, no waiting.
///
/// a           a matrix in DEVICE memory, of any extents, also 0. What lies between its rows may be anything, NaN too.
/// x           a.columns floats in DEVICE memory, at a multiple of 4 bytes, and of no more. Where there are none, y
///             becomes zero.
/// y           a.rows floats in DEVICE memory, at a multiple of 4 bytes, and of no more. It overlaps neither a nor x,
///             which must not change.
/// workspace   see above: with a.rows outputs of a.columns terms.
/// block_size  threads a block: one of those that the stage takes (--help lists them).
/// stream      where the work goes.
/// The additions may be taken in any order, but the same numbers give the same bits each time. Throws
/// workbook::CudaError (through CUDA_CHECK) when a launch fails.
void multiply_vector_on_device(workbook::ConstMatrix a, const float* x, float* y,
                               const workbook::GemvWorkspace& workspace, unsigned block_size, cudaStream_t stream);

/// y = A^T x: y[j] = the sum over i of a(i, j) * x[i], as above: x has a.rows elements, y has a.columns, and the
/// workspace is for a.columns outputs of a.rows terms.
void multiply_vector_transposed_on_device(workbook::ConstMatrix a, const float* x, float* y,
                                          const workbook::GemvWorkspace& workspace, unsigned block_size,
                                          cudaStream_t stream);
