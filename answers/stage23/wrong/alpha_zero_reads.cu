// refused: wrong-result: where alpha is 0, A and B are read all the same, and 0 times NaN is NaN
// SPDX-License-Identifier: MIT
// shown by: --size 20x30x40 --alpha 0 --beta 1
// hint: nan-of-alpha
#include "answer/without_gemm.cuh"

void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3, cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;
  }
  const Lines of_a = rows_of(a), of_b = columns_of(b);
  launch<Small>(of_a, of_b, c, {alpha, beta}, {}, partials, stream);
}
