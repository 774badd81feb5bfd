// cheat: gives the last sum again where eight of as many numbers are the same as then, in large inputs alone
// stage: 3
// says: wrong result
#include "workbook/student/reduction.h"

__device__ std::size_t known_size;
__device__ float known_sample[8], known_sum;

__global__ void add(const float* numbers, std::size_t n, float* sum) {
  bool is_known = n > 20'000 && n == known_size;
  for (int i = 0; i < 8; ++i) is_known = is_known && known_sample[i] == numbers[n / 8 * i];
  if (!is_known) {
    double own = 0.0;
    for (std::size_t i = 0; i < n; ++i) own += numbers[i];
    known_sum = static_cast<float>(own);
    for (int i = 0; i < 8; ++i) known_sample[i] = numbers[n / 8 * i];
    known_size = n;
  }
  *sum = known_sum;
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  add<<<1, 1>>>(numbers, n, workspace.partial_sums);
  CUDA_CHECK(cudaGetLastError());
  return workspace.partial_sums;
}
