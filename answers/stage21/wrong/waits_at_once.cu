// refused: not-the-step: each part of a k-tile is waited for as soon as it is started
// SPDX-License-Identifier: MIT
// hint: step-copies-waited-for
#define WRONG_ACROSS 4  // as at the size that is counted
#define WRONG_WHOLE
#define BEHIND_BRING __pipeline_commit(), __pipeline_wait_prior(0);
#include "answer/ring_but.cuh"
