// SPDX-License-Identifier: MIT
// Allocate, copy, launch, copy back; the memory frees itself.
#include "workbook/host_steps.h"

namespace workbook {

Reduced reduce_with_host_steps(ReduceOnDevice reduce_on_device, const float* input, std::size_t n, unsigned block_size,
                               std::size_t misalign, GpuTimer& timer) {
  if (n == 0) return 0.0f;
  DeviceArray<float> memory(misalign + n);
  if (misalign > 0) CUDA_CHECK(cudaMemset(memory.data(), 0xFF, misalign * sizeof(float)));
  float* const numbers = memory.data() + misalign;
  CUDA_CHECK(cudaMemcpy(numbers, input, n * sizeof(float), cudaMemcpyHostToDevice));
  const WorkspaceMemory workspace(n, block_size);

  timer.start();
  const float* const device_sum = reduce_on_device(numbers, n, block_size, workspace.on(nullptr));
  timer.stop();

  return {read_back(device_sum), workspace.ticket().mistake()};
}

}  // namespace workbook
