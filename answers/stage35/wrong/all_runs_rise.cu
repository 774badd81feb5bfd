// refused: wrong-result: the second run of a pair rises, and is read from its end
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-unwritten
#include "workbook/student/sort.h"

// Comes before the given one, as it is in the namespace of this file.
template <class Tile>
__device__ int place_in_run(int thread, int, int i) {
  return thread * Tile::kKeysAThread + i;
}

#include "answer/small_tiles_answer.cuh"
