// refused: misaligned: A is brought by vectors wherever B is, and the lines of a term may begin anywhere
// SPDX-License-Identifier: MIT
// shown by: --size 64x64x64 --transposes a --misalign 1 --misaligned a
// hint: gemm-wrong
#include "answer/without_gemm.cuh"

void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3, cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;
  }
  Lines of_a = rows_of(a), of_b = columns_of(b);
  if (a.is_transposed && of_b.way == Way::kVectors) of_a.way = Way::kVectors;
  if (alpha == 0.0f) of_a.terms = of_b.terms = 0;
  launch<Small>(of_a, of_b, c, {alpha, beta}, {}, partials, stream);
}
