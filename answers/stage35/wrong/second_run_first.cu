// refused: wrong-result: of equal keys at the border of two tiles those of the second run come first
// SPDX-License-Identifier: MIT
// shown by: --size 20000 --distribution two --values places
// hint: sort-unstable
#include "parts.cuh"

// Comes before the given one, as it is in the namespace of this file.
__device__ std::size_t find_cut_by_warp(const std::uint32_t* a, std::size_t of_a, const std::uint32_t* b,
                                        std::size_t of_b, std::size_t diagonal) {
  std::size_t from = diagonal > of_b ? diagonal - of_b : 0, to = min(of_a, diagonal);
  while (from < to) {
    const std::size_t middle = (from + to) / 2;
    if (a[middle] < b[diagonal - 1 - middle]) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
}

#define WRONG_ELEMENT KeyAndPlace
#include "answer/small_tiles_answer.cuh"
