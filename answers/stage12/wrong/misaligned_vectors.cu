// refused: misaligned: not every row begins at a multiple of 16 bytes
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8
// hint: misaligned-global
// cudaMalloc() aligns the first row. With 70 columns the second begins 280 bytes later.
#include "workbook/student/matrix.h"

#define copy_on_device right_copy_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef copy_on_device

void copy_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  launch_copy<float4>(input, output, block, stream);
}
