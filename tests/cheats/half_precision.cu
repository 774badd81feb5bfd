// cheat: adds up in half precision
// stage: 3
// says: wrong result
#include <cuda_fp16.h>

#include "workbook/student/reduction.h"

__global__ void add(const float* numbers, std::size_t n, float* sum) {
  __half own = 0.0f;
  for (std::size_t i = 0; i < n; ++i) own = __hadd(own, __float2half(numbers[i]));
  *sum = __half2float(own);
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  add<<<1, 1>>>(numbers, n, workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
