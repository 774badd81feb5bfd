// cheat: right, but one thread does all of the work
// stage: 3
// says: technique
#include "workbook/student/reduction.h"

__global__ void add(const float* numbers, std::size_t n, float* sum) {
  double own = 0.0;
  for (std::size_t i = 0; i < n; ++i) own += numbers[i];
  *sum = static_cast<float>(own);
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  add<<<1, 1>>>(numbers, n, workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
