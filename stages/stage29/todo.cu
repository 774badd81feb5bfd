// SPDX-License-Identifier: MIT
// Yours to finish: README.md here is the lesson; run it with `scripts/workbook run 29 --todo`.
// As handed out: dcfe674c715b. Leave this line: scripts/workbook sees by it whether you have begun.
// Stage 29: a binary search for each query, by a thread each. The steps of one search come one after the other, so a
// thread waits most of its time. The search is fast because there are many threads.
#include <cstddef>
#include <cstdint>

#include "workbook/student/binary_search.h"

using workbook::Bound;
using workbook::KeyType;

// Which of two or more places that are left is asked: one near the middle. Where a table of 2^k keys is halved, all the
// first steps ask at multiples of large powers of two. They wait longer then (answers/stage29/variants/halves.cu).
__device__ std::uint32_t place_between(std::uint32_t left, std::uint32_t right) {
  constexpr std::uint32_t kParts = 32, kOfThem = 17;
  const std::uint32_t width = right - left;
  return left + (width < 2 * kParts ? width / 2 : width / kParts * kOfThem);
}

// The place of `query`, an ordinal, among n keys: how many of them lie in front of it.
template <KeyType kType, Bound kBound>
__device__ std::uint32_t place_of(std::uint32_t query, const std::uint32_t* keys, std::uint32_t n) {
  // TODO (roughly 8 lines): the place is one of left, left + 1, ..., right: n + 1 of them at first. While these
  //     are more than one, ask a key in between: is_in_front<kBound>(ordinal_of(key, kType), query). Then the place is
  //     behind it, or not.
  return 0;  // replace
}

// places[j] = the place of queries[j]. Launch: a thread for each of the m queries, or more.
template <KeyType kType, Bound kBound>
__global__ void search_each(const std::uint32_t* keys, std::uint32_t n, const std::uint32_t* queries, std::uint32_t m,
                            std::uint32_t* places) {
  // TODO (roughly 3 lines): the query of this thread, if there is one, by its ordinal_of(); its place_of()
}

void search_on_device(const workbook::Search& search, unsigned block_size, cudaStream_t stream) {
  WORKBOOK_TODO("write place_of and search_each, then delete this line");
  if (search.m == 0) {
    return;  // a grid without blocks cannot be launched
  }
  const auto blocks = static_cast<unsigned>((std::size_t{search.m} + block_size - 1) / block_size);
  workbook::with_type_and_bound(search, [&](auto type, auto bound) {
    search_each<decltype(type)::value, decltype(bound)::value>
        <<<blocks, block_size, 0, stream>>>(search.keys, search.n, search.queries, search.m, search.places);
    CUDA_CHECK(cudaGetLastError());
  });
}
