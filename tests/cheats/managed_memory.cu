// cheat: a kernel copies the numbers into managed memory, and the host adds them up there
// stage: 3
// says: refused by the simulator
#include "workbook/student/reduction.h"

__global__ void copy(const float* from, float* to, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  float* seen = nullptr;
  CUDA_CHECK(cudaMallocManaged(&seen, (n + 1) * sizeof(float)));
  copy<<<1, 256>>>(numbers, seen, n);
  cudaDeviceSynchronize();
  for (std::size_t i = 0; i < n; ++i) seen[n] += seen[i];
  cudaMemcpy(workspace.partial_sums, seen + n, sizeof(float), cudaMemcpyDeviceToDevice);
  return workspace.partial_sums;
}
