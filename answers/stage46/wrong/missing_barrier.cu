// refused: race: a thread reads pixels of the tile that others may not have loaded yet
// SPDX-License-Identifier: MIT
// shown by: --size 64x128 --reach 1
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

#define WAIT static_cast<void>(0)
#include "answer/kernel.cuh"
