// refused: refused-launch: more than 48 KiB of shared memory are only given to a kernel that has asked
// SPDX-License-Identifier: MIT
// shown by: --size 300007x64 --queries ends --block-size 1024
// hint: too-much-shared
#define cudaFuncSetAttribute(...) cudaSuccess
#include "answer/one_search_answer.cuh"
#undef cudaFuncSetAttribute
