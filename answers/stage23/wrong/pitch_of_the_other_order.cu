// refused: wrong-result: the pitch of a transposed B is taken for the length of its rows
// SPDX-License-Identifier: MIT
// shown by: --size 20x30x40 --transposes b --padding 3
// hint: gemm-wrong
// Right where there is nothing between the rows.
#include "answer/without_gemm.cuh"

void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3, cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;
  }
  Lines of_a = rows_of(a), of_b = columns_of(b);
  if (b.is_transposed) of_b.pitch = b.stored.columns;
  if (alpha == 0.0f) of_a.terms = of_b.terms = 0;
  launch<Small>(of_a, of_b, c, {alpha, beta}, {}, partials, stream);
}
