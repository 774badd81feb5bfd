// cheat: copies its array by a buffer of its own, and adds up the array on the host
// stage: 1
// says: wrong result
#include <numeric>
#include <vector>

#include "workbook/student/reduction.h"

__global__ void store(float* sum, const float* from) { *sum = *from; }

const float* reduce_on_device(float* numbers, std::size_t, unsigned, const workbook::Workspace&) { return numbers; }

float reduce(const float* input, std::size_t n, unsigned, workbook::GpuTimer& timer) {
  const std::vector<float> own(input, input + n);
  float sum = static_cast<float>(std::accumulate(own.begin(), own.end(), 0.0)), *places = nullptr;
  CUDA_CHECK(cudaMalloc(&places, 2 * sizeof(float)));
  CUDA_CHECK(cudaMemcpy(places, &sum, sizeof sum, cudaMemcpyHostToDevice));
  timer.start();
  store<<<1, 1>>>(places + 1, places);
  timer.stop();
  CUDA_CHECK(cudaMemcpy(&sum, places + 1, sizeof sum, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFree(places));
  return sum;
}
