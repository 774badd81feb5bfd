// refused: wrong-result: where C is not read, the product is stored without alpha
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x300 --alpha -2
// hint: scaling-wrong
// Right while alpha is 1, or there is a beta.
#include "answer/without_gemm.cuh"

void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3 block, cudaStream_t stream) {
  right::gemm_on_device(beta == 0.0f ? 1.0f : alpha, a, b, beta, c, partials, block, stream);
}
