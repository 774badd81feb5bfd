// cheat: copies its array to the device and all of it back, and adds up what came back
// stage: 1
// says: wrong result
#include <vector>

#include "workbook/student/reduction.h"

__global__ void nothing() {}

float reduce(const float* input, std::size_t n, unsigned, workbook::GpuTimer& timer) {
  float* numbers = nullptr;
  std::vector<float> back(n);
  CUDA_CHECK(cudaMalloc(&numbers, (n + 1) * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(numbers, input, n * sizeof(float), cudaMemcpyHostToDevice));
  timer.start();
  nothing<<<1, 32>>>();
  timer.stop();
  CUDA_CHECK(cudaMemcpy(back.data(), numbers, n * sizeof(float), cudaMemcpyDeviceToHost));
  double sum = 0.0;
  for (const float number : back) sum += number;
  CUDA_CHECK(cudaFree(numbers));
  return static_cast<float>(sum);
}
