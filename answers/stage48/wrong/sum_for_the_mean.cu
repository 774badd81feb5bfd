// refused: wrong-result: the sum of the squares is not divided by their number
// SPDX-License-Identifier: MIT
// shown by: --size 3x32 --operation rms-norm
// hint: row-rms
#include "answer/right.cuh"

using namespace right;

struct OfSum : RmsNorm {
  static __device__ float factor(RowState, RowState row, float) { return rsqrtf(row.sum + workbook::kRmsEpsilon); }
};

#define RMS_NORM OfSum
#include "answer/kernel.cuh"
