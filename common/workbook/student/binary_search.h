// SPDX-License-Identifier: MIT
// Many searches of a sorted table at once (lower_bound and upper_bound): the data, and the functions that stages
// define.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "workbook/student/cuda_check.h"
#include "workbook/student/key_order.h"
#include "workbook/student/todo.h"

namespace workbook {

/// The bound that is asked for.
enum class Bound : std::uint8_t {
  lower,  ///< The number of keys before the query (std::lower_bound): the place of the first equal key, if any.
  upper,  ///< The number of keys not behind the query (std::upper_bound): one place behind the last equal key.
};

/// A search: a sorted table, and queries. All pointers are to DEVICE memory, at multiples of 4 bytes only. The arrays
/// do not overlap.
struct Search {
  KeyType type = KeyType::unsigned_ints;   ///< The type of keys and queries.
  Bound bound = Bound::lower;              ///< The bound of every query.
  const std::uint32_t* keys = nullptr;     ///< The n keys; ordinal_of() never falls. Equal keys are allowed.
  std::uint32_t n = 0;                     ///< Up to 2^32 - 1, also 0.
  const std::uint32_t* queries = nullptr;  ///< The m queries.
  std::uint32_t m = 0;                     ///< Likewise.
  std::uint32_t* places = nullptr;         ///< For the result: m numbers from 0 to n.
};

/// The size of a workspace, in numbers of 4 bytes: one for each 16 keys and for each 16 queries, and a few more.
constexpr std::size_t search_workspace_size(std::size_t n, std::size_t m) { return n / 16 + m / 16 + 4096; }

/// Whether a key lies before the place of a query, both by their ordinals.
template <Bound kBound>
__host__ __device__ bool is_in_front(std::uint32_t key, std::uint32_t query) {
  return kBound == Bound::lower ? key < query : key <= query;
}

/// Calls launch(type, bound) with the type and the bound of the search as types with a constexpr `value`. So the
/// compiler makes a kernel for each of the six pairs, and no kernel tests them when it runs.
template <typename Launch>
void with_type_and_bound(const Search& search, Launch launch) {
  const auto with_bound = [&](auto type) {
    if (search.bound == Bound::lower) {
      launch(type, std::integral_constant<Bound, Bound::lower>());
    } else {
      launch(type, std::integral_constant<Bound, Bound::upper>());
    }
  };
  switch (search.type) {
    case KeyType::unsigned_ints:
      return with_bound(std::integral_constant<KeyType, KeyType::unsigned_ints>());
    case KeyType::signed_ints:
      return with_bound(std::integral_constant<KeyType, KeyType::signed_ints>());
    case KeyType::floats:
      return with_bound(std::integral_constant<KeyType, KeyType::floats>());
  }
}

}  // namespace workbook

/// places[j] = the bound of queries[j] among the keys, for all j. The function only puts work into the stream: no
/// allocation, no copy to the host, no waiting. Keys and queries must not change.
///
/// * search      See above.
/// * block_size  Threads a block: one of those that the stage takes (--help lists them).
/// * stream      The stream for all work.
///
/// One order places every key and every query, NaN and both zeros too (key_order.h). So every place is defined. Throws
/// workbook::CudaError (through CUDA_CHECK) when a launch fails.
void search_on_device(const workbook::Search& search, unsigned block_size, cudaStream_t stream);

/// The same with memory to work in. If a stage prepares data there, an index for example, it makes them again in every
/// call.
///
/// * workspace   Holds search_workspace_size(n, m) numbers in DEVICE memory, at a multiple of 256 bytes. They may have
///               any value: undefined, or from an earlier call.
void search_in_workspace_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                                   cudaStream_t stream);

/// The same for queries in the order of the keys.
void search_sorted_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                             cudaStream_t stream);
