// SPDX-License-Identifier: MIT
// Searching a sorted table, for many queries at once: what is asked, and the functions that stages define.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "workbook/student/cuda_check.h"
#include "workbook/student/key_order.h"
#include "workbook/student/todo.h"

namespace workbook {

/// Which place of a query is asked for.
enum class Bound : std::uint8_t {
  lower,  ///< how many keys come before the query: where the first key that is the query lies, if there is one
  upper,  ///< how many keys do not come behind it: one place behind the last key that is the query
};

/// A sorted table, and queries. All pointers are to DEVICE memory, at multiples of 4 bytes and of no more; the arrays
/// do not overlap.
struct Search {
  KeyType type = KeyType::unsigned_ints;   ///< of keys and queries
  Bound bound = Bound::lower;              ///< of every query
  const std::uint32_t* keys = nullptr;     ///< n keys, ordinal_of() never falls; the same key may be there many times
  std::uint32_t n = 0;                     ///< up to 2^32 - 1, also 0
  const std::uint32_t* queries = nullptr;  ///< m of them
  std::uint32_t m = 0;                     ///< likewise
  std::uint32_t* places = nullptr;         ///< for the result: m numbers from 0 to n
};

/// How large a workspace is, in numbers of 4 bytes: one for each 16 keys, one for each 16 queries, and a little.
constexpr std::size_t search_workspace_size(std::size_t n, std::size_t m) { return n / 16 + m / 16 + 4096; }

/// Whether a key lies in front of the place of a query, both by their ordinals.
template <Bound kBound>
__host__ __device__ bool is_in_front(std::uint32_t key, std::uint32_t query) {
  return kBound == Bound::lower ? key < query : key <= query;
}

/// Calls launch(type, bound) with type and bound of the search as types, whose `value` the compiler knows: so a kernel
/// is compiled for each of the six pairs, and asks for neither when it runs.
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

/// places[j] = the bound of queries[j] among the keys, for all j. Only what has to be put into the stream: no
/// allocation, no copy to the host, no waiting. Keys and queries must not change.
///
/// search      see above.
/// block_size  threads a block: one of those that the stage takes (--help lists them).
/// stream      where the work goes.
/// Every key and every query has its place in one order, NaN and both zeros too (key_order.h), so every place is
/// defined. Throws workbook::CudaError (through CUDA_CHECK) when a launch fails.
void search_on_device(const workbook::Search& search, unsigned block_size, cudaStream_t stream);

/// The same with memory to work in. What a stage prepares there, an index say, it makes anew in every call.
///
/// workspace   search_workspace_size(n, m) numbers in DEVICE memory, at a multiple of 256 bytes. They hold anything:
///             what nobody wrote, or what the call before has left.
void search_in_workspace_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                                   cudaStream_t stream);

/// The same for queries that are sorted as the keys are.
void search_sorted_on_device(const workbook::Search& search, std::uint32_t* workspace, unsigned block_size,
                             cudaStream_t stream);
