// refused: refused-launch: a tile of keys with values needs more than 48 KiB of shared memory, and no code asked for it
// SPDX-License-Identifier: MIT
// shown by: --size 3000 --values places
// hint: too-much-shared
#include "answer/linked_answer.cuh"

#define cudaFuncSetAttribute(...) cudaSuccess
#define WRONG_ELEMENT KeyAndPlace
#include "answer/small_tiles_answer.cuh"
#undef cudaFuncSetAttribute
