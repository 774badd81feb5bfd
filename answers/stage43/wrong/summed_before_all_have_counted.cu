// refused: race: a warp adds up the words of a bin while another one still counts
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: atomic-beside-plain
#include "answer/right.cuh"

using namespace right;

#define BARRIER_BEFORE_FLUSH static_cast<void>(0)
#include "answer/kernel.cuh"
