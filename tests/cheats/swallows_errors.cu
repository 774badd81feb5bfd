// cheat: CUDA_CHECK does nothing, so that no error ends it
// stage: 3
// says: findings

#include "workbook/student/reduction.h"

#undef CUDA_CHECK
#define CUDA_CHECK(call) static_cast<void>(call)

__global__ void fault(float* sum) { sum[1u << 30] = 1.0f; }

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  fault<<<1, 1>>>(workspace.partial_sums);
  CUDA_CHECK(cudaDeviceSynchronize());
  return workspace.partial_sums;
}
