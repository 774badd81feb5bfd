// refused: wrong-result: an odd number of steps is rounded down to whole passes
// SPDX-License-Identifier: MIT
// shown by: --size 7x33x125 --steps 3
// hint: number-of-steps
#include "answer/right.cuh"

using namespace right;

#define PASSES(steps) ((steps) / 2 > 0 ? (steps) / 2 : 1)
#define STEPS_OF(pass, steps) ((steps) == 1 ? 1 : 2)
#include "answer/launch.cuh"
