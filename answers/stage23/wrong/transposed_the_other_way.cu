// refused: wrong-result: what is stored transposed is taken as it is, and what is not is taken as transposed
// SPDX-License-Identifier: MIT
// shown by: --size 36x36x36
// hint: outside-global
#include "answer/without_gemm.cuh"

void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3, cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;
  }
  Lines of_a = rows_of(a), of_b = columns_of(b);
  of_a.way = a.is_transposed ? Way::kTerms : Way::kLines;
  of_b.way = b.is_transposed ? Way::kLines : Way::kTerms;
  if (alpha == 0.0f) of_a.terms = of_b.terms = 0;
  launch<Small>(of_a, of_b, c, {alpha, beta}, {}, partials, stream);
}
