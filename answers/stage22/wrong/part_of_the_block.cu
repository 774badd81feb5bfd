// refused: wrong-result: a block that has some k-tiles of two tiles puts both parts into one place
// SPDX-License-Identifier: MIT
// shown by: --size 32x150x1300
// hint: share-wrong
// Right while each share lies in one tile.
#define ALSO_WRONG add_parts
#define TARGET target_of<Shape>(c, work, tile, k_tiles, partials - place_of_part(work, 0, tile))
#include "answer/multiply_share_but.cuh"
#define WRONG
#define PLACE_OF_PART place_of_part(work, block, 0)
#include "answer/add_parts_but.cuh"
#undef WRONG
