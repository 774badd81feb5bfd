// refused: wrong-result: the first term of a k-tile is read from the slot of the k-tile before
// SPDX-License-Identifier: MIT
// shown by: --size 128x128x64 --block-size 128x1
// hint: all-zero
#define READ_BEFORE_WAIT READ_NEXT
#define READ_BEHIND_WAIT
#include "answer/ring_but.cuh"
