// refused: race: a warp counts while another one still clears
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: atomic-beside-plain
#include "answer/right.cuh"

using namespace right;

#define BARRIER_BEHIND_CLEAR static_cast<void>(0)
#include "answer/kernel.cuh"
