// SPDX-License-Identifier: MIT
// The answer of stage 28, but its kernel: the launch, which takes the find_all of the file that includes this, and what
// the answer's kernel calls.
#include "workbook/find.h"

struct Board;
struct Tile;
template <typename T, unsigned kPages>
__global__ void find_all(const T* keys, std::size_t n, T x, workbook::Hits hits, Board* board, Tile* tiles);

// Renames the answer's definition, and not its launch: there no parenthesis follows the name.
#define find_all(...) right_find_all(__VA_ARGS__)
#include "stage28_answer.cuh"
#undef find_all
