// refused: wrong-result: each number is multiplied with the element of x that has its column, not its row
// SPDX-License-Identifier: MIT
// shown by: --size 64x64 --block-size 256
#include "../stage25_but_thread.cuh"

template <typename Vector>
__device__ Vector sums_of_thread(const workbook::ConstMatrix& a, const float* x, const Columns<Vector>& columns,
                                 std::size_t begin, std::size_t end, unsigned lanes) {
  constexpr unsigned kWidth = Columns<Vector>::kWidth;
  Vector sums{};
  for (std::size_t i = begin + threadIdx.x / lanes; i < end; i += blockDim.x / lanes) {
    float products[kWidth] = {};
    for (unsigned k = 0; k < columns.count; ++k) {
      products[k] = a.data[i * a.pitch + columns.first + k] * x[columns.first + k];
    }
    add_product(sums, *reinterpret_cast<const Vector*>(products), 1.0f);
  }
  return sums;
}
