// cheat: calls of CUDA with the names of the runtime's, which say that all went well and do nothing
// stage: 3
// says: wrong result
#include "workbook/student/reduction.h"

__global__ void nothing() {}

extern "C" cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) {
  return cudaSuccess;
}
extern "C" cudaError_t __cudaLaunchKernel(const void*, dim3, dim3, void**, std::size_t, cudaStream_t) {
  return cudaSuccess;
}

const float* reduce_on_device(float*, std::size_t, unsigned, const workbook::Workspace& workspace) {
  nothing<<<1, 32>>>();
  return workspace.partial_sums;
}
