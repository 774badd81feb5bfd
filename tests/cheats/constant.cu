// cheat: the sum of the usual numbers as a constant, stored by a kernel
// stage: 3
// says: wrong result
#include "workbook/student/reduction.h"

__global__ void store(float* sum, std::size_t n) { *sum = 0.5f * static_cast<float>(n); }

const float* reduce_on_device(float*, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  store<<<1, 1>>>(workspace.partial_sums, n);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
