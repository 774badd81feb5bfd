// SPDX-License-Identifier: MIT
// Products of matrices whose blocks may share the terms of an element, and GEMM: the functions that a stage of them
// defines, and the memory that they get for it.
#pragma once

#include <algorithm>
#include <cstddef>

#include "workbook/student/matmul.h"

namespace workbook {

/// How many floats a product has room for beside its matrices: a copy of C, each extent rounded up to a multiple of 64,
/// for every 64 terms, and at most 2^23, which are 32 MiB. A is m x k, B is k x n.
constexpr std::size_t partials_size(std::size_t m, std::size_t n, std::size_t k) {
  const auto steps = [](std::size_t extent) { return (extent + 63) / 64; };
  return std::min(std::size_t{1} << 23, 64 * steps(m) * 64 * steps(n) * steps(k));
}

/// A factor of a product, as it is stored or transposed.
struct Operand {
  ConstMatrix stored;
  bool is_transposed = false;  ///< element (i, j) of the factor is element (j, i) of what is stored

  __host__ __device__ std::size_t rows() const { return is_transposed ? stored.columns : stored.rows; }
  __host__ __device__ std::size_t columns() const { return is_transposed ? stored.rows : stored.columns; }
};

}  // namespace workbook

/// As multiply_on_device() in matmul.h, with a workspace. The same input gives the same bits each time, whichever of
/// the blocks is done first.
///
/// partials   device memory in which the blocks may leave something for each other: partials_size() floats, at a
///            multiple of 256 bytes. Nothing is in them yet. They are the caller's, and used by one product at a time.
void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, float* partials,
                        dim3 block, cudaStream_t stream);

/// c(i, j) = alpha * (the sum over k of a(i, k) * b(k, j)) + beta * c(i, j), in float, where a and b are the factors as
/// they are multiplied. What BLAS calls GEMM, row by row: a pitch is a leading dimension. Only what has to be put into
/// the stream: no allocation, no copy to the host, no waiting.
///
/// a, b       matrices in DEVICE memory, each with a pitch of its own: a.rows() is c.rows, b.columns() is c.columns,
/// and
///            a.columns() is b.rows(). Where alpha is 0 they are not read, and may hold anything.
/// c          is read and written; where beta is 0 it is only written, and may hold anything before. It overlaps
/// neither
///            a nor b, which must not change. What lies between the rows of a matrix may be anything, NaN too.
/// Any of the three extents may be 0; where there are no terms, c becomes beta * c.
/// partials, block, stream   as above.
/// The operations may be done in any order, but in the same one each time: the same input gives the same bits. Each
/// result is rounded to float; a product and the sum that it is added to may be rounded once (fused).
/// Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3 block, cudaStream_t stream);
