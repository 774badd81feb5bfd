// refused: async-copy: the wait lets so many groups go on that it waits for none
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x64 --block-size 128x1
// hint: copy-under-way
#define WAIT __pipeline_wait_prior(kSlots + 3)
#include "answer/ring_but.cuh"
