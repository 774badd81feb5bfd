// SPDX-License-Identifier: MIT
// The choices of the host: the grid, and the operator of an operation.
#pragma once

#include <algorithm>
#include <cstddef>

#include "workbook/student/statistics.h"

constexpr unsigned kLoads = 4;  ///< 16-byte loads that a thread has under way at the same time.

/// 16 bytes of numbers.
template <typename T>
constexpr unsigned kVectorSize = 16 / sizeof(T);

/// The grid of stage 07: 1,024 threads an SM, or twice as many where each block has many tiles. For few numbers, enough
/// threads that each has no more than 4 of the rest. One block at least: no numbers have a statistic too.
template <typename T>
unsigned choose_blocks(std::size_t n, unsigned block_size) {
  const std::size_t needed = (n + 4 * block_size - 1) / (4 * block_size);
  if (needed <= 1) {
    return 1;  // when little is to be done, asking the device takes a share of the time that counts
  }
  int device = 0;
  int multiprocessors = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  const std::size_t resident = std::size_t{1024} / block_size * static_cast<std::size_t>(multiprocessors);
  const std::size_t tiles = n / (std::size_t{kLoads} * kVectorSize<T> * block_size);
  return static_cast<unsigned>(std::min(needed, tiles > 32 * resident ? 2 * resident : resident));
}

/// Calls visit(Operator{}) for the operator of an operation. `Operators` come in the order of workbook::Operation.
template <class... Operators, class Visit>
void with_operator(workbook::Operation operation, Visit visit) {
  unsigned number = 0;
  ((number++ == static_cast<unsigned>(operation) ? visit(Operators{}) : void()), ...);
}
