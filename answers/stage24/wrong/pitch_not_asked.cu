// refused: misaligned: the first row begins at a multiple of 16 bytes, and the second does not
// SPDX-License-Identifier: MIT
// shown by: --size 40x37 --padding 2 --block-size 128
// hint: misaligned-global
#include "answer/linked_answer.cuh"

using namespace right;

void multiply_vector_on_device(workbook::ConstMatrix a, const float* x, float* y,
                               const workbook::GemvWorkspace& workspace, unsigned block_size, cudaStream_t stream) {
  if (a.rows == 0) {
    return;
  }
  if (is_aligned(a.data) && is_aligned(x)) {
    launch_rows<float4>(a, x, y, workspace, block_size, stream);
  } else {
    launch_rows<float>(a, x, y, workspace, block_size, stream);
  }
}
