// refused: race: the output is a copy of the input, and is changed in place: blocks read what others change
// SPDX-License-Identifier: MIT
// shown by: --size 100x300
// hint: race-in-block
#include "answer/right.cuh"

using namespace right;

__global__ void step_in_place(Matrix output, float rate) {
  const std::size_t column = std::size_t{blockIdx.x} * kColumns + threadIdx.x;
  for (unsigned i = 0; i < kRows; ++i) {
    const std::size_t row = (std::size_t{blockIdx.y} * blockDim.y + threadIdx.y) * kRows + i;
    for (std::size_t x = column; row + 1 < output.rows && x < column + kColumns && x + 1 < output.columns; x += kWarp) {
      float* const at = output.data + row * output.pitch + x;
      const std::size_t pitch = output.pitch;
      if (row > 0 && x > 0) *at = heated(rate, *at, *(at - 1), *(at + 1), *(at - pitch), *(at + pitch));
    }
  }
}

void heat_step_on_device(ConstMatrix input, Matrix output, float rate, dim3 block, cudaStream_t stream) {
  if (input.rows == 0 || input.columns == 0) return;
  CUDA_CHECK(cudaMemcpy2DAsync(output.data, output.pitch * sizeof(float), input.data, input.pitch * sizeof(float),
                               input.columns * sizeof(float), input.rows, cudaMemcpyDeviceToDevice, stream));
  const std::size_t rows = std::size_t{kRows} * block.y;
  const dim3 grid(static_cast<unsigned>((input.columns + kColumns - 1) / kColumns),
                  static_cast<unsigned>((input.rows + rows - 1) / rows));
  step_in_place<<<grid, block, 0, stream>>>(output, rate);
  CUDA_CHECK(cudaGetLastError());
}
