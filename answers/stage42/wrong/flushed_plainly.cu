// refused: race: each block stores its bins, and the last one remains
// SPDX-License-Identifier: MIT
// shown by: --size 4099
// hint: blocks-store-one-element
#include "answer/right.cuh"

using namespace right;

#define FLUSH(b) counts[b] = mine[b]
#include "answer/kernel.cuh"
