// refused: race: the k-tile after the next goes into the slot that others still read
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x64 --block-size 128x1
// hint: ring-slot
#define FREE now
#include "answer/ring_but.cuh"
