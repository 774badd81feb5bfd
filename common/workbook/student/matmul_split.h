// SPDX-License-Identifier: MIT
// The product of two matrices in single precision by tensor cores: the function that a stage defines, and its
// workspace.
#pragma once

#include <algorithm>
#include <cstddef>

#include "workbook/student/matmul.h"

namespace workbook {

/// The bytes of a workspace, where A is m x k and B is k x n. The extents m and n are rounded up to multiples of 128,
/// and k to a multiple of 64. It has three parts:
/// * Space for every number of A and B once more.
/// * Eight bytes for each row of A and each column of B.
/// * A copy of C for every 256 terms: together at most 32 MiB, or one copy if that is more.
constexpr std::size_t split_workspace_bytes(std::size_t m, std::size_t n, std::size_t k) {
  const std::size_t rows = (m + 127) / 128 * 128, columns = (n + 127) / 128 * 128, terms = (k + 63) / 64 * 64;
  const std::size_t copies = std::min(std::size_t{1} << 23, rows * columns * ((k + 255) / 256));
  return sizeof(float) * ((rows + columns) * (terms + 2) + std::max(rows * columns, copies));
}

}  // namespace workbook

/// As multiply_on_device() in matmul.h, with a workspace. On one GPU the same input gives the same bits each time.
///
/// * workspace  Device memory of split_workspace_bytes() bytes, at a multiple of 256 bytes. It has no defined value at
///              first. The caller owns it. One product at a time uses it.
///
/// The error bound of an element is in product.h (Arithmetic::split). For more than 26 terms it is less than in float,
/// for all numbers. Infinities and NaN give the same as in float. Numbers below 2^-126 lose no more than in float.
void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, void* workspace,
                        dim3 block, cudaStream_t stream);
