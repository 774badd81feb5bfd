// refused: not-the-step: a part of a k-tile is brought twice, so that memory is asked for nearly twice as much
// SPDX-License-Identifier: MIT
// hint: step-sectors
#define WRONG_ACROSS 4  // as at the size that is counted
#define WRONG_WHOLE
#define BEHIND_BRING \
  if (k < kTerms - 1) bring<kWhole>(loader, tile, FREE, k);
#include "answer/ring_but.cuh"
