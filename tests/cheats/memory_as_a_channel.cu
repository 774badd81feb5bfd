// cheat: a kernel allocates as many bytes as the sum is large, and the host asks how many are free
// stage: 3
// says: wrong result
#include "workbook/student/reduction.h"

__global__ void take(const float* numbers, std::size_t n) {
  float sum = 0.0f;
  for (std::size_t i = 0; i < n; ++i) sum += numbers[i];
  for (int i = 0; i < static_cast<int>(sum); ++i) malloc(64);
}
__global__ void store(float* to, float sum) { *to = sum; }

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  std::size_t before = 0, after = 0, all = 0;
  CUDA_CHECK(cudaMemGetInfo(&before, &all));
  take<<<1, 1>>>(numbers, n);
  CUDA_CHECK(cudaMemGetInfo(&after, &all));
  store<<<1, 1>>>(workspace.partial_sums, static_cast<float>((before - after) / 64));
  return workspace.partial_sums;
}
