// refused: wrong-result: the second run of a pair rises, and is read from its end
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: sort-unwritten
#include "workbook/student/sort.h"

template <class Tile>
__device__ int place_in_run(int thread, int run, int i);

// Renames the answer's definition, and not its calls: there `<` follows the name.
#define place_in_run(...) right_place_in_run(__VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef place_in_run

template <class Tile>
__device__ int place_in_run(int thread, int, int i) {
  return thread * Tile::kKeysAThread + i;
}
