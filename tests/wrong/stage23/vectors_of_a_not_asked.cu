// refused: misaligned: A is brought by vectors wherever B is, and the lines of a term may begin anywhere
// SPDX-License-Identifier: MIT
// shown by: --size 64x64x64 --transposes a --misalign 1 --misaligned a
#include "../stage23_but_gemm.cuh"

void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3, cudaStream_t stream) {
  if (c.rows == 0 || c.columns == 0) {
    return;
  }
  Lines of_a = lines_of(a.stored, !a.is_transposed), of_b = lines_of(b.stored, b.is_transposed);
  of_a.has_vectors = !of_a.terms_adjoin;
  if (alpha == 0.0f) of_a.terms = of_b.terms = 0;
  launch<Small>(of_a, of_b, c, {alpha, beta}, {}, partials, stream);
}
