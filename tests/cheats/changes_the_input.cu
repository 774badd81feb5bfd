// cheat: sets the numbers to zero, so that the right sum is zero
// stage: 3
// says: wrong result

#include "workbook/student/reduction.h"

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  CUDA_CHECK(cudaMemset(numbers, 0, n * sizeof(float)));
  CUDA_CHECK(cudaMemset(workspace.partial_sums, 0, sizeof(float)));
  return workspace.partial_sums;
}
