// refused: wrong-result: a block that has some k-tiles of two tiles puts both parts into one place
// SPDX-License-Identifier: MIT
// shown by: --size 32x150x1300
// hint: wrong-elements
// Right while each share lies in one tile.
#include "workbook/student/gemm.h"

struct WorkPartition;
struct Wrong {};
__device__ std::size_t place_of_part(Wrong, const WorkPartition& work, std::size_t block, std::size_t tile);

// In the answer's definition `Wrong()` is the type of a function, in its calls an object: so they come to this one.
#define place_of_part(...) place_of_part(Wrong(), __VA_ARGS__)
#include "answer/one_tile_answer.cuh"
#undef place_of_part

__device__ std::size_t place_of_part(Wrong, const WorkPartition& work, std::size_t block, std::size_t /*tile*/) {
  return block * work.tile_height * work.tile_width;
}
