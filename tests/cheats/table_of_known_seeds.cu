// cheat: the kernel knows numbers of the usual seed, and takes their sum from a table
// stage: 3
// says: wrong result

#include "workbook/student/reduction.h"

__global__ void look_up(const float* numbers, std::size_t n, float* sum) {
  const float first = n == 0 ? 0.0f : numbers[0];
  *sum = first == 0.5f ? 409.7f : first == -3.0f ? -36.0f : first * static_cast<float>(n);
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  look_up<<<1, 1>>>(numbers, n, workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
