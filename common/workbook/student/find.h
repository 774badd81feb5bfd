// SPDX-License-Identifier: MIT
// The search for a key among many: the functions that a stage defines, and their workspaces. The inputs, the reference
// and the report are in common/workbook/problem.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

/// The value of FindWorkspace::first while no hit is known: larger than every index.
constexpr unsigned long long kNoHit = ~0ull;

/// The workspace of one search for the first hit: device memory beside the keys, and a stream. The caller owns it. One
/// search at a time uses it.
struct FindWorkspace {
  unsigned long long* first = nullptr;   ///< One number, kNoHit before and after each search.
  unsigned* ticket = nullptr;            ///< One number, 0 before and after each search.
  unsigned long long* result = nullptr;  ///< One number, unwritten.
  cudaStream_t stream = nullptr;
};

/// The output for the indices of all hits.
struct Hits {
  unsigned* indices = nullptr;  ///< Space for `capacity` indices, unwritten.
  std::size_t capacity = 0;
  unsigned* count = nullptr;  ///< One number, unwritten.
};

/// The workspace of one search for all hits.
struct FindAllWorkspace {
  /// Holds find_all_numbers(n) numbers, or more. All are 0 before the first search. Later they have the values from the
  /// search before, which may have had fewer keys. After a billion searches (2^30 - 1) of different sizes, set them to
  /// 0 again.
  unsigned* numbers = nullptr;
  cudaStream_t stream = nullptr;
};

/// The size of a workspace for n keys: three numbers for each 1,024 keys, and some thousands.
constexpr std::size_t find_all_numbers(std::size_t n) { return 3 * ((n + 1023) / 1024) + 8192; }

}  // namespace workbook

// The keys are unsigned, int or float. A key is a hit where keys[i] == x. So a NaN is never found, even by itself, and
// -0.0 and +0.0 find each other.

/// Stores the smallest i with keys[i] == x in *workspace.result, or n where there is none. Only launches: no
/// allocation, no copy, no waiting. A stage defines it for unsigned, int and float. The benchmark times it.
///
/// * keys        n keys in DEVICE memory, at a multiple of 4 bytes. They must not change.
/// * n           Any number of keys, also none; an index may need more than 32 bits.
/// * block_size  Threads a block: one of those that the stage takes (--help lists them).
/// * workspace   See above.
///
/// Throws workbook::CudaError.
template <typename T>
void find_on_device(const T* keys, std::size_t n, T x, unsigned block_size, const workbook::FindWorkspace& workspace);

/// Stores the indices of all hits in hits.indices, in increasing order, and their number in *hits.count. If
/// hits.indices is too small, it gets the first hits.capacity of them, and the count is still that of all. The memory
/// after the last index may hold anything. Only launches, as above.
///
/// * keys        As above.
/// * n           Any number of keys below 2^32, also none: an index is an unsigned number of 32 bits.
/// * hits        See above; they overlap neither the keys nor the workspace.
///
/// The same keys give the same indices each time. Throws workbook::CudaError.
template <typename T>
void find_all_on_device(const T* keys, std::size_t n, T x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace);
