// refused: wrong-result: C lies in a larger matrix: its rows are further apart than they are long
// SPDX-License-Identifier: MIT
// shown by: --size 33x70x3000 --output-padding 5
// hint: other-rows
#include "answer/without_gemm.cuh"

void gemm_on_device(float alpha, Operand a, Operand b, float beta, Matrix c, float* partials, dim3 block,
                    cudaStream_t stream) {
  c.pitch = c.columns;
  right::gemm_on_device(alpha, a, b, beta, c, partials, block, stream);
}
