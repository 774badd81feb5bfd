// SPDX-License-Identifier: MIT
// Statistics of many numbers: the operations, and the function that a stage defines. The inputs, the references, the
// error bounds and the report are in common/workbook/problem.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

/// The operations.
enum class Operation : std::uint8_t {
  sum,        ///< The result for no numbers is 0.
  product,    ///< Without numbers: 1.
  minimum,    ///< Without numbers: infinity; for ints, the largest int.
  maximum,    ///< Without numbers: -infinity; for ints, the smallest int.
  mean,       ///< Without numbers: NaN.
  deviation,  ///< The standard deviation of the population, sqrt(sum of (x - mean)^2 / n). Without numbers: NaN.
};

/// The workspace of one computation: device memory beside the numbers, and a stream. The caller owns it. One
/// computation at a time uses it.
struct StatisticsWorkspace {
  void* partials = nullptr;    ///< Each of ceil(n / block_size) blocks (at least one) has kLargestState bytes.
  unsigned* ticket = nullptr;  ///< One number, 0 before and after each computation.
  double* result = nullptr;    ///< One number, unwritten.
  cudaStream_t stream = nullptr;
};

constexpr std::size_t kLargestState = 32;  ///< The most bytes that a block may store for the next pass.

/// The size of `partials`.
constexpr std::size_t partials_bytes(std::size_t n, unsigned block_size) {
  return kLargestState * (n == 0 ? 1 : (n + block_size - 1) / block_size);
}

}  // namespace workbook

/// Stores a statistic of numbers[0] ... numbers[n-1] in *workspace.result. All memory is on the device already. Only
/// launches, no allocation, no copy, no waiting. A stage defines it for float, double and int. The benchmark times it.
///
/// * numbers     n numbers in DEVICE memory at a multiple of 16 bytes. They must not change.
/// * n           Any number of elements, also none.
/// * block_size  Threads a block: a power of two from 32 to 1024.
/// * workspace   See above.
///
/// Sum and product of ints are taken modulo 2^32, as in unsigned arithmetic, so that no order can overflow. A NaN among
/// the numbers makes every result NaN, minimum and maximum too (the deviation from two numbers on). Zeros of both signs
/// are equal. The result is a double, which holds every float and int exactly. Sum, product, minimum and maximum of
/// floats may be computed in float. Mean and deviation must be computed in double, for floats and ints too. On one GPU
/// the same numbers give the same bits each time. Throws workbook::CudaError.
template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace);
