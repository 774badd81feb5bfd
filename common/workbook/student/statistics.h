// SPDX-License-Identifier: MIT
// Statistics of many numbers as a student meets them: which there are, and the function that a stage defines. The
// inputs, the references, the error bounds and the report live behind it, in this folder.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

enum class Operation : std::uint8_t {
  sum,        ///< of no numbers: 0
  product,    ///< of no numbers: 1
  minimum,    ///< of no numbers: infinity, of no ints: the largest int
  maximum,    ///< of no numbers: -infinity, of no ints: the smallest int
  mean,       ///< of no numbers: NaN
  deviation,  ///< the standard deviation of all that is there, sqrt(sum of (x - mean)^2 / n); of no numbers: NaN
};

/// What one computation has to itself: device memory beside the numbers, and a stream. Owned by the caller, and used by
/// one computation at a time.
struct StatisticsWorkspace {
  void* partials = nullptr;    ///< kLargestState bytes for each of ceil(n / block_size) blocks, for one at least
  unsigned* ticket = nullptr;  ///< one number, 0 before and after each computation
  double* result = nullptr;    ///< one number, unwritten
  cudaStream_t stream = nullptr;
};

constexpr std::size_t kLargestState = 32;  ///< bytes that a block may leave behind

/// How large `partials` is.
constexpr std::size_t partials_bytes(std::size_t n, unsigned block_size) {
  return kLargestState * (n == 0 ? 1 : (n + block_size - 1) / block_size);
}

}  // namespace workbook

/// Stores a statistic of numbers[0] ... numbers[n-1], all in memory that is on the device already, in
/// *workspace.result: only launches, no allocation, no copy, no waiting. A stage defines it for float, double and int;
/// the benchmark times it.
///
/// numbers     n numbers in DEVICE memory at a multiple of 16 bytes. They must not change.
/// n           any number of elements, also none.
/// block_size  threads a block: a power of two from 32 to 1024.
/// workspace   see above.
///
/// Sum and product of ints are taken modulo 2^32, as unsigned arithmetic does: then no order of them can overflow.
/// A NaN among the numbers makes every result NaN, minimum and maximum too (the deviation from two numbers on). Equal
/// zeros of both signs are one number. The result is a double, which holds every float and int as it is. Sum, product,
/// minimum and maximum of floats may be computed in float; mean and deviation must be computed in double, of floats and
/// ints too. The same numbers give the same bits each time. Throws workbook::CudaError.
template <typename T>
void statistic_on_device(workbook::Operation operation, const T* numbers, std::size_t n, unsigned block_size,
                         const workbook::StatisticsWorkspace& workspace);
