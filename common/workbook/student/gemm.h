// SPDX-License-Identifier: MIT
// Products of matrices with a workspace, and GEMM: the functions that a stage defines. With a workspace, several blocks
// may share the terms of an element (split-K, stream-K).
#pragma once

#include <algorithm>
#include <cstddef>

#include "workbook/student/matmul.h"

namespace workbook {

/// The number of floats in a workspace, where A is m x k and B is k x n. It holds a copy of C for every 64 terms, with
/// each extent rounded up to a multiple of 64. It has at most 2^23 floats, which are 32 MiB.
constexpr std::size_t partials_size(std::size_t m, std::size_t n, std::size_t k) {
  const auto steps = [](std::size_t extent) { return (extent + 63) / 64; };
  return std::min(std::size_t{1} << 23, 64 * steps(m) * 64 * steps(n) * steps(k));
}

/// A factor of a product, as it is stored or transposed.
struct Operand {
  ConstMatrix stored;
  bool is_transposed = false;  ///< If true, element (i, j) of the factor is element (j, i) in memory.

  __host__ __device__ std::size_t rows() const { return is_transposed ? stored.columns : stored.rows; }
  __host__ __device__ std::size_t columns() const { return is_transposed ? stored.rows : stored.columns; }
};

}  // namespace workbook

/// As multiply_on_device() in matmul.h, with a workspace. On one GPU the same input gives the same bits each time,
/// whichever block ends first.
///
/// * partials   Device memory for partial results of blocks: partials_size() floats at a multiple of 256 bytes. They
///              have no defined value at first. The caller owns them. One product at a time uses them.
void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, float* partials,
                        dim3 block, cudaStream_t stream);

/// c(i, j) = alpha * (the sum over k of a(i, k) * b(k, j)) + beta * c(i, j), in float. Here a and b are the factors
/// after transposition. This is GEMM of BLAS in row-major order; a pitch is a leading dimension. The function only puts
/// work into the stream: no allocation, no copy to the host, no waiting.
///
/// * a, b       Matrices in DEVICE memory, each with a pitch of its own: a.rows() is c.rows, b.columns() is c.columns,
///   and a.columns() is b.rows(). Where alpha is 0, they are not read and may hold anything.
/// * c          Is read and written. Where beta is 0, it is only written, and may hold anything before. It overlaps
///              neither a nor b, which must not change. The gaps between the rows of a matrix may hold anything, NaN
///              too.
/// * partials, block, stream   As above.
///
/// Any of the three extents may be 0, and each is below 2^31. Where there are no terms, c becomes beta * c. The
/// operations may have any order, but it must be the same each time: on one GPU the same input gives the same bits.
/// Each result is rounded to float. A product and its addition may be rounded once (fused). Throws workbook::CudaError
/// (through CUDA_CHECK) when a launch fails.
void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3 block, cudaStream_t stream);
