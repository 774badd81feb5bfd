// refused: misaligned: a row of A is 33 numbers long, and ldmatrix wants rows at multiples of 16 bytes
// SPDX-License-Identifier: MIT
// shown by: --size 20x36x40
// hint: misaligned
#define ROW_OF_A (kTerms + 1)
#include "answer/without_padded.cuh"
