// refused: race: a plain addition in shared memory: of two threads with one bin, one is lost
// SPDX-License-Identifier: MIT
// shown by: --size 1003
// hint: update-lost
#include "answer/right.cuh"

using namespace right;

#define COUNT(bin) mine[bin] += 1
#include "answer/kernel.cuh"
