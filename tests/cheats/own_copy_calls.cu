// cheat: has the calls for copies itself, and looks at the numbers on their way
// stage: 3
// says: crash

#include "workbook/student/reduction.h"

static float seen = 0.0f;
extern "C" cudaError_t own(void*, const void*, std::size_t, cudaMemcpyKind, cudaStream_t) asm("cudaMemcpyAsync");
extern "C" cudaError_t own(void* to, const void* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t) {
  if (bytes >= sizeof seen) seen += *static_cast<const float*>(from);
  return to == nullptr ? cudaErrorInvalidValue : cudaSuccess;
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  CUDA_CHECK(cudaMemcpyAsync(workspace.partial_sums, numbers, n * sizeof(float), cudaMemcpyDeviceToDevice, nullptr));
  return workspace.partial_sums;
}
