// cheat: a kernel that never ends, in the grader's own process
// stage: 3
// says: findings

#include "workbook/student/reduction.h"

__global__ void spin(volatile float* sum) {
  while (*sum != 1.25f) {
  }
}

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  spin<<<1, 1>>>(workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
