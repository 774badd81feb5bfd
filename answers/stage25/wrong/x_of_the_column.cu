// refused: wrong-result: each number is multiplied with the element of x that has its column, not its row
// SPDX-License-Identifier: MIT
// shown by: --size 64x64 --block-size 512
// hint: outside-global
#define sums_of_thread(...) right_sums_of_thread(__VA_ARGS__)
#include "answer/vectors_only_answer.cuh"

template <typename Vector>
__device__ Vector sums_of_thread(const workbook::ConstMatrix& a, const float* x, const Columns<Vector>& columns,
                                 std::size_t begin, std::size_t end) {
  Vector sums{};
  for (std::size_t i = begin + threadIdx.y; i < end; i += blockDim.y) {
    Vector products = read_row(a.data + i * a.pitch, columns);
    auto* const numbers = reinterpret_cast<float*>(&products);
    for (unsigned k = 0; k < columns.count; ++k) {
      numbers[k] *= x[columns.first + k];
    }
    add_product(sums, products, 1.0f);
  }
  return sums;
}
