// SPDX-License-Identifier: MIT
// The product of two matrices in single precision by tensor cores: the function that a stage of it defines, and the
// memory that it gets.
#pragma once

#include <algorithm>
#include <cstddef>

#include "workbook/student/matmul.h"

namespace workbook {

/// How many bytes such a product has beside its matrices, where A is m x k and B is k x n. Room for every number once
/// more, for eight bytes beside each row of A and column of B, and for a copy of C for every 256 terms, these copies
/// together 32 MiB, or one copy if that is more; all with m and n rounded up to multiples of 128 and k to one of 64.
constexpr std::size_t split_workspace_bytes(std::size_t m, std::size_t n, std::size_t k) {
  const std::size_t rows = (m + 127) / 128 * 128, columns = (n + 127) / 128 * 128, terms = (k + 63) / 64 * 64;
  const std::size_t copies = std::min(std::size_t{1} << 23, rows * columns * ((k + 255) / 256));
  return sizeof(float) * ((rows + columns) * (terms + 2) + std::max(rows * columns, copies));
}

}  // namespace workbook

/// As multiply_on_device() in matmul.h, with a workspace. The same input gives the same bits each time.
///
/// workspace  device memory, split_workspace_bytes() of it, at a multiple of 256 bytes. Nothing is in it yet. It is the
///            caller's, and used by one product at a time.
/// How far an element may be from the exact one is said in product.h (Arithmetic::split): for more than 26 terms less
/// than in float, whatever the numbers are. Infinities and NaN are what they are in float, and of numbers below 2^-126
/// no more is lost than there.
void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, void* workspace,
                        dim3 block, cudaStream_t stream);
