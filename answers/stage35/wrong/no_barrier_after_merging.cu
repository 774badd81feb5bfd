// refused: race: threads store what they have merged where others still read
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: race-in-block
#include "workbook/student/sort.h"

struct TwoRuns;
template <class Tile, class Element>
__device__ void merge_part(const Element* elements, TwoRuns runs, int of_first, int diagonal, int threads,
                           Element (&merged)[Tile::kKeysAThread]);

// Renames the answer's definition, and not its calls: there `<` follows the name.
#define merge_part(...) right_merge_part(__VA_ARGS__)
#include "answer/small_tiles_answer.cuh"
#undef merge_part

template <class Tile, class Element>
__device__ void merge_part(const Element* elements, TwoRuns runs, int of_first, int diagonal, int,
                           Element (&merged)[Tile::kKeysAThread]) {
  const int cut = find_cut(elements, runs, of_first, diagonal);
  merge_serially(elements, runs.begin + cut, runs.last - (diagonal - cut), merged);
}
