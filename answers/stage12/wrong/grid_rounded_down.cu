// refused: wrong-result: the rows behind the last whole block are lost
// SPDX-License-Identifier: MIT
// shown by: --size 100x70 --block-size 32x8
// hint: empty-grid
#include "workbook/student/matrix.h"

#define copy_on_device right_copy_on_device  // all but what follows is the answer
#include "../solution.cu"
#undef copy_on_device

template <typename Vector>
void launch_wrongly(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  const std::size_t columns_a_tile = block.x * (sizeof(Vector) / sizeof(float));
  const std::size_t tiles_across = (input.columns + columns_a_tile - 1) / columns_a_tile;
  const std::size_t tiles_down = input.rows / block.y;
  copy_vectors<Vector><<<static_cast<unsigned>(tiles_across * tiles_down), block, 0, stream>>>(
      input, output, static_cast<unsigned>(tiles_across));
  CUDA_CHECK(cudaGetLastError());
}

void copy_on_device(workbook::ConstMatrix input, workbook::Matrix output, dim3 block, cudaStream_t stream) {
  if (holds_vectors(input.data, input.pitch) && holds_vectors(output.data, output.pitch)) {
    launch_wrongly<float4>(input, output, block, stream);
  } else {
    launch_wrongly<float>(input, output, block, stream);
  }
}
