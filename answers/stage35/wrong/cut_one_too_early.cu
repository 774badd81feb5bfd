// refused: wrong-result: cuts lie one key too early in the first run: at the border of tiles keys change places
// SPDX-License-Identifier: MIT
// shown by: --size 20000 --values places
// hint: sort-order
#include "workbook/student/sort.h"

struct Wrong {};
__device__ std::size_t find_cut_by_warp(Wrong, const std::uint32_t* a, std::size_t of_a, const std::uint32_t* b,
                                        std::size_t of_b, std::size_t diagonal);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define find_cut_by_warp(...) find_cut_by_warp(Wrong(), __VA_ARGS__)
#define WRONG_ELEMENT KeyAndPlace
#include "answer/small_tiles_answer.cuh"
#undef find_cut_by_warp

__device__ std::size_t find_cut_by_warp(Wrong, const std::uint32_t* a, std::size_t of_a, const std::uint32_t* b,
                                        std::size_t of_b, std::size_t diagonal) {
  const std::size_t cut = find_cut_by_warp(nullptr, a, of_a, b, of_b, diagonal);  // the answer's
  return cut > 0 && diagonal - cut < of_b ? cut - 1 : cut;
}
