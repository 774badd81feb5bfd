// refused: wrong-result: the sums of one tile are still there when the next begins
// SPDX-License-Identifier: MIT
// shown by: --size 32x150x1300
// hint: share-wrong
// Right while each share lies in one tile.
#define SUMS_BEFORE_TILES float sums[Shape::kRows][Shape::kColumns] = {};
#define SUMS_OF_TILE
#include "answer/multiply_share_but.cuh"
