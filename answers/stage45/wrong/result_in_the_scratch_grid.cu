// refused: wrong-result: the first pass writes the output, so an even number of passes ends in the scratch grid
// SPDX-License-Identifier: MIT
// shown by: --size 7x33x125 --steps 3
// hint: number-of-steps
#include "answer/right.cuh"

using namespace right;

#define IS_OUTPUT(pass, passes) ((pass) % 2 == 0)
#include "answer/launch.cuh"
