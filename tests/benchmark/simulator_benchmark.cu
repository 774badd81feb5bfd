// SPDX-License-Identifier: MIT
// How fast the simulator is, on kernels of known kinds. Never a test: machines differ. `cmake --build build/default
// --target benchmarks` runs it. On a GPU the same program runs too, and its times are then the GPU's.
//
//   tree       shared-memory tree reduction of 16,777,216 floats in 65,536 blocks of 256, the workbook's own yardstick
//   integer, floating   arithmetic in registers, no memory
//   memory     loads and stores of neighbouring words
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <vector>

#include "workbook/cuda_check.h"

namespace {

constexpr unsigned block_size = 256;
constexpr std::size_t elements = std::size_t{1} << 24;
constexpr int repeats = 5;

__global__ void tree(const float* in, float* partial_sums) {
  __shared__ float values[block_size];
  const unsigned tid = threadIdx.x;
  values[tid] = in[std::size_t{blockIdx.x} * blockDim.x + tid];
  __syncthreads();
  for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (tid < stride) values[tid] += values[tid + stride];
    __syncthreads();
  }
  if (tid == 0) partial_sums[blockIdx.x] = values[0];
}

__global__ void integer(unsigned* out, unsigned rounds) {
  unsigned a = threadIdx.x, b = blockIdx.x;
#pragma unroll 8
  for (unsigned i = 0; i < rounds; ++i) {
    a = a * 5 + b;
    b = (b ^ a) + (a >> 3);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}

__global__ void floating(float* out, unsigned rounds) {
  float a = static_cast<float>(threadIdx.x), b = 1.0f;
#pragma unroll 8
  for (unsigned i = 0; i < rounds; ++i) {
    a = a * 0.5f + b;
    b = b * a + 1.0f;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}

__global__ void memory(const float* in, float* out, unsigned rounds) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  for (unsigned r = 0; r < rounds; ++r, i += stride) out[i] = in[i] + 1.0f;
}

/// Median of `repeats` runs, in milliseconds, after one that warms up.
template <class Run>
float median_ms(Run run) {
  cudaEvent_t begin, end;
  CUDA_CHECK(cudaEventCreate(&begin));
  CUDA_CHECK(cudaEventCreate(&end));
  std::vector<float> times;
  for (int r = 0; r <= repeats; ++r) {
    CUDA_CHECK(cudaEventRecord(begin));
    run();
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaEventRecord(end));
    CUDA_CHECK(cudaEventSynchronize(end));
    float time_ms = 0;
    CUDA_CHECK(cudaEventElapsedTime(&time_ms, begin, end));
    if (r > 0) times.push_back(time_ms);
  }
  CUDA_CHECK(cudaEventDestroy(begin));
  CUDA_CHECK(cudaEventDestroy(end));
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

}  // namespace

int main() {
  float *in = nullptr, *out = nullptr;
  CUDA_CHECK(cudaMalloc(&in, elements * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&out, elements * sizeof(float)));
  CUDA_CHECK(cudaMemset(in, 0, elements * sizeof(float)));
  cudaDeviceProp properties;
  CUDA_CHECK(cudaGetDeviceProperties(&properties, 0));
  std::printf("device: %s, median of %d runs\n", properties.name, repeats);
  std::printf("%-10s %10.1f ms\n", "tree", median_ms([&] { tree<<<elements / block_size, block_size>>>(in, out); }));
  std::printf("%-10s %10.1f ms\n", "integer",
              median_ms([&] { integer<<<64, block_size>>>(reinterpret_cast<unsigned*>(out), 4000); }));
  std::printf("%-10s %10.1f ms\n", "floating", median_ms([&] { floating<<<64, block_size>>>(out, 4000); }));
  std::printf("%-10s %10.1f ms\n", "memory", median_ms([&] { memory<<<1024, block_size>>>(in, out, 64); }));
  CUDA_CHECK(cudaFree(in));
  CUDA_CHECK(cudaFree(out));
  return 0;
}
