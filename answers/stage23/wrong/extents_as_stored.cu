// refused: out-of-bounds: where A is stored transposed, its rows are as many as the stored matrix has columns
// SPDX-License-Identifier: MIT
// shown by: --size 30x40x20 --transposes a
// hint: gemm-wrong
// Right for square matrices.
#include "answer/without_gemm.cuh"

void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3, cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;
  }
  Lines of_a = rows_of(a), of_b = columns_of(b);
  of_a.lines = a.stored.rows;
  of_a.terms = a.stored.columns;
  if (alpha == 0.0f) of_a.terms = of_b.terms = 0;
  launch<Small>(of_a, of_b, c, {alpha, beta}, {}, partials, stream);
}
