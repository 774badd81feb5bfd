// refused: wrong-result: the terms of the last block that has some of the tile are not added
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x1000
// hint: share-wrong
#define LAST_PART parts.first + parts.count*(sharer + 1) / sharers - 1
#include "answer/add_parts_but.cuh"
