// refused: misaligned: the matrix holds vectors, and x begins at an odd place
// SPDX-License-Identifier: MIT
// shown by: --size 68x132 --x-misalign 1 --block-size 128
// hint: misaligned-global
#include "answer/linked_answer.cuh"

using namespace right;

void multiply_vector_on_device(workbook::ConstMatrix a, const float* x, float* y,
                               const workbook::GemvWorkspace& workspace, unsigned block_size, cudaStream_t stream) {
  if (a.rows == 0) {
    return;
  }
  if (is_aligned(a.data) && a.pitch % 4 == 0) {
    launch_rows<float4>(a, x, y, workspace, block_size, stream);
  } else {
    launch_rows<float>(a, x, y, workspace, block_size, stream);
  }
}
