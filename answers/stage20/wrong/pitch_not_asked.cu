// refused: misaligned: the first row begins at a multiple of 16 bytes, and the second does not
// SPDX-License-Identifier: MIT
// shown by: --size 64x64x64 --padding 1 --block-size 8x8
// hint: misaligned-global
#include "answer/without_launch.cuh"

template <unsigned T>
void launch_vectors(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, cudaStream_t stream) {
  constexpr std::size_t kSize = Tiles<T>::kSize;
  const std::size_t tiles_across = (c.columns + kSize - 1) / kSize;
  const std::size_t tiles_down = (c.rows + kSize - 1) / kSize;
  const auto begins_aligned = [](const float* data) {
    return reinterpret_cast<std::uintptr_t>(data) % sizeof(float4) == 0;
  };
  const bool aligned = begins_aligned(a.data) && begins_aligned(b.data) && begins_aligned(c.data);
  multiply_vectors<T><<<static_cast<unsigned>(tiles_across * tiles_down), dim3(T, T), 0, stream>>>(
      a, b, c, static_cast<unsigned>(tiles_across), aligned);
  CUDA_CHECK(cudaGetLastError());
}
