// refused: wrong-result: a row of zeros is divided by zero
// SPDX-License-Identifier: MIT
// shown by: --size 5x32 --operation rms-norm --values equal
// hint: row-rms-zeros
#include "answer/right.cuh"

using namespace right;

struct NoEpsilon : RmsNorm {
  static __device__ float factor(RowState, RowState row, float columns) { return rsqrtf(row.sum / columns); }
};

#define RMS_NORM NoEpsilon
#include "answer/kernel.cuh"
