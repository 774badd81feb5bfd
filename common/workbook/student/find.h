// SPDX-License-Identifier: MIT
// Looking for a key among many, as a student meets it: the functions that a stage defines, and what it may use for
// them. The inputs, the reference and the report live behind it, in this folder.
#pragma once

#include <cstddef>

#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {

/// What FindWorkspace::first holds while no hit is known: larger than every index.
constexpr unsigned long long kNoHit = ~0ull;

/// What one search for the first hit has to itself: device memory beside the keys, and a stream. Owned by the caller,
/// and used by one search at a time.
struct FindWorkspace {
  unsigned long long* first = nullptr;   ///< one number, kNoHit before and after each search
  unsigned* ticket = nullptr;            ///< one number, 0 before and after each search
  unsigned long long* result = nullptr;  ///< one number, unwritten
  cudaStream_t stream = nullptr;
};

/// Where the indices of all hits go.
struct Hits {
  unsigned* indices = nullptr;  ///< room for `capacity` indices, unwritten
  std::size_t capacity = 0;
  unsigned* count = nullptr;  ///< one number, unwritten
};

/// What one search for all hits has to itself.
struct FindAllWorkspace {
  /// find_all_numbers(n) numbers, or more. All are 0 before the first search; from then on they are what the search
  /// before has left there, which may have had fewer keys.
  unsigned* numbers = nullptr;
  cudaStream_t stream = nullptr;
};

/// How many numbers a workspace has for n keys: three for each 1,024 keys, and some thousands.
constexpr std::size_t find_all_numbers(std::size_t n) { return 3 * ((n + 1023) / 1024) + 8192; }

}  // namespace workbook

// The keys are unsigned, int or float; a key is a hit where keys[i] == x. So a NaN is never found, not even by itself,
// and -0.0 and +0.0 find each other.

/// Stores the smallest i with keys[i] == x in *workspace.result; where there is none, n. Only launches: no allocation,
/// no copy, no waiting. A stage defines it for unsigned, int and float; the benchmark times it.
///
/// keys        n keys in DEVICE memory, at a multiple of 4 bytes. They must not change.
/// n           any number of keys, also none; an index may need more than 32 bits.
/// block_size  threads a block: one of those that the stage takes (--help lists them).
/// workspace   see above.
/// Throws workbook::CudaError.
template <typename T>
void find_on_device(const T* keys, std::size_t n, T x, unsigned block_size, const workbook::FindWorkspace& workspace);

/// Stores the indices of all hits in hits.indices, in increasing order, and how many there are in *hits.count. Where
/// there is not room for all, the first hits.capacity of them are stored, and the count is still that of all. What is
/// behind the last index may hold anything. Only launches, as above.
///
/// keys        as above.
/// n           any number of keys below 2^32, also none: an index is an unsigned number of 32 bits.
/// hits        see above; they overlap neither the keys nor the workspace.
/// The same keys give the same indices each time. Throws workbook::CudaError.
template <typename T>
void find_all_on_device(const T* keys, std::size_t n, T x, const workbook::Hits& hits, unsigned block_size,
                        const workbook::FindAllWorkspace& workspace);
