// cheat: a kernel writes the numbers straight into an array of the host
// stage: 3
// says: findings
#include <vector>

#include "workbook/student/reduction.h"

__global__ void copy(const float* from, float* to, std::size_t n) {
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) to[i] = from[i];
}

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  std::vector<float> seen(n);
  copy<<<1, 256>>>(numbers, seen.data(), n);
  return workspace.partial_sums;
}
