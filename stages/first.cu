// SPDX-License-Identifier: MIT
// The example of cuda.md: a kernel that doubles 1,000 numbers, and all that the host does around it.
#include <cstdio>
#include <cstdlib>
#include <vector>

// Ends the program where a call of CUDA has failed.
#define CHECK(call)                                                              \
  do {                                                                           \
    if (const cudaError_t error = (call); error != cudaSuccess) {                \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                              \
    }                                                                            \
  } while (0)

__global__ void twice(float* numbers, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) {
    numbers[i] = 2.0f * numbers[i];
  }
}

int main() {
  const std::size_t n = 1000;
  std::vector<float> numbers(n);
  for (std::size_t i = 0; i < n; ++i) {
    numbers[i] = static_cast<float>(i);
  }

  float* on_device = nullptr;
  CHECK(cudaMalloc(&on_device, n * sizeof(float)));
  CHECK(cudaMemcpy(on_device, numbers.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  const unsigned block_size = 256;
  const unsigned blocks = (n + block_size - 1) / block_size;
  twice<<<blocks, block_size>>>(on_device, n);
  CHECK(cudaGetLastError());

  CHECK(cudaMemcpy(numbers.data(), on_device, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(on_device));
  std::printf("%u blocks of %u threads; numbers[999] is %g\n", blocks, block_size, numbers[999]);
}
