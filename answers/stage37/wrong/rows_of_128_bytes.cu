// refused: not-the-step: rows of A follow each other without a gap: the eight of a matrix begin in the same bank
// SPDX-License-Identifier: MIT
// hint: step-bank-conflicts
#define ROW_OF_A kTerms
#include "answer/without_padded.cuh"
