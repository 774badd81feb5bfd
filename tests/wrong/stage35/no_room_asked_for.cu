// refused: refused-launch: a tile of keys with values needs more than 48 KiB of shared memory, and nobody asked for it
// SPDX-License-Identifier: MIT
// shown by: --size 3000 --values places
// hint: too-much-shared
#include "../stage35_right.cuh"

#define cudaFuncSetAttribute(...) cudaSuccess
#define WRONG_ELEMENT KeyAndPlace
#include "../stage35_answer.cuh"
#undef cudaFuncSetAttribute
