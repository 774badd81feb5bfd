// refused: misaligned: the rows of B may begin elsewhere than those of A
// SPDX-License-Identifier: MIT
// shown by: --size 64x66x64 --block-size 8x8
// hint: misaligned-global
#include "answer/without_launch.cuh"

template <unsigned T>
void launch_vectors(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, cudaStream_t stream) {
  constexpr std::size_t kSize = Tiles<T>::kSize;
  const std::size_t tiles_across = (c.columns + kSize - 1) / kSize;
  const std::size_t tiles_down = (c.rows + kSize - 1) / kSize;
  const bool aligned = holds_vectors(a);
  multiply_vectors<T><<<static_cast<unsigned>(tiles_across * tiles_down), dim3(T, T), 0, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_across), aligned);
  CUDA_CHECK(cudaGetLastError());
}
