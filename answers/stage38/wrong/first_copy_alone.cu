// refused: wrong-result: where blocks share the terms, only the first copy of C is looked at
// SPDX-License-Identifier: MIT
// shown by: --size 5x3x700 --factors integers
// hint: copies-lost
#include "answer/linked_answer.cuh"

__global__ void __launch_bounds__(kThreads)
    finish_first_copy(Factor a, Factor b, workbook::Matrix c, Plan plan, const float* partials) {
  const std::size_t j = std::size_t{blockIdx.y} * kThreads + threadIdx.x;
  for (unsigned r = 0; r < kRowsOfThread; ++r) {
    const std::size_t i = std::size_t{blockIdx.x} * kRowsOfThread + r;
    if (i < c.rows && j < c.columns) {
      c.data[i * c.pitch + j] = unscaled(partials[i * plan.pitch() + j], a.largest[i], b.largest[j]);
    }
  }
}

void multiply_on_device(workbook::ConstMatrix a, workbook::ConstMatrix b, workbook::Matrix c, void* workspace,
                        dim3 block, cudaStream_t stream) {
  right::split_all = split_all_with<split, is_split>;
  right::multiply_parts = multiply_parts_with<add_products, joined>;
  right::finish = finish_first_copy;
  right::multiply_on_device(a, b, c, workspace, block, stream);
}
