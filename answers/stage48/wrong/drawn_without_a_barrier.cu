// refused: race: the threads of a block read the number of the part before thread 0 has stored it
// SPDX-License-Identifier: MIT
// shown by: --size 2x4096 --block-size 64 --values equal
// hint: race-in-block
#define DRAWN
#include "answer/right.cuh"

using namespace right;

#include "answer/kernel.cuh"
