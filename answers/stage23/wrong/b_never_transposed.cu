// refused: wrong-result: B is read as it is stored, transposed or not
// SPDX-License-Identifier: MIT
// shown by: --size 36x36x36 --transposes b
// hint: outside-global
// Square, so that nothing lies outside of it.
#include "answer/without_gemm.cuh"

void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3, cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;
  }
  Lines of_a = rows_of(a), of_b = columns_of(b);
  of_b.way = Way::kLines;
  if (alpha == 0.0f) of_a.terms = of_b.terms = 0;
  launch<Small>(of_a, of_b, c, {alpha, beta}, {}, partials, stream);
}
