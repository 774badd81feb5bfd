// refused: wrong-result: the rows of the output have the pitch of the input
// SPDX-License-Identifier: MIT
// shown by: --size 5x20 --padding 3 --output-padding 7
// hint: other-rows
#include "answer/right.cuh"

using namespace right;

#define OUTPUT_PITCH input.pitch
#include "answer/kernel.cuh"
