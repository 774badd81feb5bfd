// refused: race: the second pass reads the output and writes it: blocks read cells that others have changed
// SPDX-License-Identifier: MIT
// shown by: --size 20x45x150 --steps 3
// hint: race-between-blocks
#include "answer/right.cuh"

using namespace right;

#define IS_OUTPUT(pass, passes) true
#include "answer/launch.cuh"
