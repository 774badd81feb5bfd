// refused: wrong-result: cuts lie one key too early in the first run: at the border of tiles keys change places
// SPDX-License-Identifier: MIT
// shown by: --size 20000 --values places
// hint: sort-order
#include "parts.cuh"

// Comes before the given one, as it is in the namespace of this file.
__device__ std::size_t find_cut_by_warp(const std::uint32_t* a, std::size_t of_a, const std::uint32_t* b,
                                        std::size_t of_b, std::size_t diagonal) {
  const std::size_t cut = ::find_cut_by_warp(a, of_a, b, of_b, diagonal);
  return cut > 0 && diagonal - cut < of_b ? cut - 1 : cut;
}

#define WRONG_ELEMENT KeyAndPlace
#include "answer/small_tiles_answer.cuh"
