// refused: race: each thread has waited for its own copies, and not for those of the others
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x64 --block-size 128x1
// hint: copy-under-way
#define BARRIER
#include "answer/ring_but.cuh"
