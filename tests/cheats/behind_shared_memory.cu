// cheat: reads shared memory behind its end, where another block may have left its sum
// stage: 3
// says: findings

#include "workbook/student/reduction.h"

__global__ void take(float* sum) {
  __shared__ float tile[32];
  tile[threadIdx.x] = 0.0f;
  *sum = tile[threadIdx.x + 64];
}

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  take<<<1, 1>>>(workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
