// SPDX-License-Identifier: MIT
// cudaLaunchKernelEx with attributes, kernels that are templates, and the occupancy calls that choose a block's size.
#include <cooperative_groups.h>

#include "gallery.h"

template <class T, int factor>
__global__ void scale(const T* in, T* out, int n, T offset) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * static_cast<T>(factor) + offset;
}

__global__ void rotate(int* data, int blocks) {
  const int value = data[blockIdx.x];
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) data[(blockIdx.x + 1) % blocks] = value;
}

bool program() {
  constexpr int n = 1000, blocks = 20;
  cudaStream_t stream;
  checkCudaErrors(cudaStreamCreate(&stream));
  const std::vector<float> in = uniform_vector(n);
  Buffer<float> d_in(in), out(n);
  int block = 0, least_grid = 0, resident = 0;
  checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&least_grid, &block, scale<float, 4>, 0, 256));
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, scale<float, 4>, block, 0));
  cudaLaunchAttribute attributes[2]{};
  attributes[0].id = cudaLaunchAttributePriority;
  attributes[0].val.priority = 0;
  attributes[1].id = cudaLaunchAttributeCooperative;
  attributes[1].val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = blocks_for(n, block);
  config.blockDim = block;
  config.stream = stream;
  config.attrs = attributes;
  config.numAttrs = 1;
  checkCudaErrors(
      cudaLaunchKernelEx(&config, scale<float, 4>, static_cast<const float*>(d_in), static_cast<float*>(out), n, 0.5f));
  std::vector<int> numbers(blocks), rotated(blocks);
  for (int i = 0; i < blocks; ++i) numbers[i] = rotated[(i + 1) % blocks] = 100 + i;
  Buffer<int> d_numbers(numbers);
  config.gridDim = blocks;
  config.blockDim = 32;
  config.numAttrs = 2;
  checkCudaErrors(cudaLaunchKernelEx(&config, rotate, static_cast<int*>(d_numbers), blocks));
  checkCudaErrors(cudaStreamSynchronize(stream));
  checkCudaErrors(cudaStreamDestroy(stream));
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = in[i] * 4 + 0.5f;
  return block > 0 && block <= 256 && least_grid > 0 && resident > 0 && out.host() == expected &&
         d_numbers.host() == rotated;
}
