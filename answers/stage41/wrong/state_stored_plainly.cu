// refused: race: a state is a plain store, which other blocks load meanwhile
// SPDX-License-Identifier: MIT
// shown by: --size 20011
// hint: atomic-beside-plain
#include "answer/right.cuh"

using namespace right;

__device__ void wrong_publish(State& tile, State state) { tile = state; }

#define PUBLISH wrong_publish
#include "answer/kernel.cuh"
