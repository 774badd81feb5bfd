// SPDX-License-Identifier: MIT
// The answer of stage 01 without its passes over the numbers: its kernel, and a reduce(). This reduce() calls the
// reduce_on_device() of the including file. There is no `#pragma once`: several wrong kernels share a program, each in
// a namespace.
#include "workbook/student/reduction.h"

#define reduce right_reduce
#define reduce_on_device right_reduce_on_device
#include "../../solution.cu"
#undef reduce_on_device
#undef reduce

// Here, for the call below: within a namespace it would otherwise mean the header's.
const float* reduce_on_device(float* data, std::size_t n, unsigned block_size, const workbook::Workspace& workspace);

float reduce(const float* input, std::size_t n, unsigned block_size, workbook::GpuTimer& timer) {
  if (n == 0) return 0.0f;
  float sum = 0.0f;
  float* data = nullptr;
  workbook::Workspace workspace;
  CUDA_CHECK(cudaMalloc(&data, n * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&workspace.partial_sums, (n + block_size - 1) / block_size * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(data, input, n * sizeof(float), cudaMemcpyHostToDevice));
  timer.start();
  const float* const device_sum = reduce_on_device(data, n, block_size, workspace);
  timer.stop();
  CUDA_CHECK(cudaMemcpy(&sum, device_sum, sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(workspace.partial_sums));
  CUDA_CHECK(cudaFree(data));
  return sum;
}
