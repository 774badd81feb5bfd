// refused: barrier-divergence: threads whose part is padding have nothing to merge, and leave
// SPDX-License-Identifier: MIT
// shown by: --size 3000
// hint: barrier-missed
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
__device__ void merge_part(const Element* elements, TwoRuns runs, int of_first, int diagonal, int threads,
                           Element (&merged)[Tile::kKeysAThread]) {
  const int cut = find_cut(elements, runs, of_first, diagonal);
  if (elements[runs.begin + cut] == missing_element<Element>(KeyType::unsigned_ints)) {
    return;  // what this thread has is missing already
  }
  merge_serially(elements, runs.begin + cut, runs.last - (diagonal - cut), merged);
  wait_for_each_other(threads);
}
