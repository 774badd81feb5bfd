// refused: wrong-result: the numbers of a thread still belong to its own maximum
// SPDX-License-Identifier: MIT
// shown by: --size 3x32
// hint: row-own-maximum
#include "answer/right.cuh"

using namespace right;

struct OwnMaximum : Softmax {
  static __device__ float factor(RowState, RowState row, float) { return 1.0f / row.sum; }
};

#define SOFTMAX OwnMaximum
#include "answer/kernel.cuh"
