// cheat: right in its first calls, and only fast behind them
// stage: 3
// says: wrong result

#include "workbook/student/reduction.h"

__global__ void add(const float* numbers, std::size_t n, float* sum) {
  double own = 0.0;
  for (std::size_t i = 0; i < n; ++i) own += numbers[i];
  *sum = static_cast<float>(own);
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  static int calls = 0;
  add<<<1, 1>>>(numbers, ++calls < 15 ? n : n / 2, workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
