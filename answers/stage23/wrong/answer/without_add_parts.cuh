// SPDX-License-Identifier: MIT
// The answer of stage 23 without its second kernel: it takes the add_parts of the including file.
#include "linked_answer.cuh"

using namespace right;

__global__ void add_parts(workbook::Matrix c, Scale scale, WorkPartition work, const float* partials, int sharers);

void gemm_on_device(float alpha, workbook::Operand a, workbook::Operand b, float beta, workbook::Matrix c,
                    float* partials, dim3 block, cudaStream_t stream) {
  right::add_parts = add_parts;
  right::gemm_on_device(alpha, a, b, beta, c, partials, block, stream);
  right::add_parts = right_add_parts;
}
