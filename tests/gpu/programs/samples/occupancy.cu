// SPDX-License-Identifier: MIT
// Asks the device what it is and how many threads a kernel keeps busy, and launches with what it answers.
#include <cstring>
#include <vector>

#include "helper_cuda.h"

__global__ void square(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] *= data[i];
}

__global__ void __launch_bounds__(128, 2) bounded(int* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += 1;
}

/// Reverses the part of a block through dynamic shared memory, four bytes a thread.
__global__ void reverse_blocks(int* data) {
  extern __shared__ int part[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = data[i];
  __syncthreads();
  data[i] = part[blockDim.x - 1 - threadIdx.x];
}

std::size_t shared_bytes_of(int block_size) { return block_size * sizeof(int); }

bool launch_with_suggested_size(const cudaDeviceProp& device) {
  constexpr int n = 100000;
  int *data = nullptr, least_grid = 0, block = 0, blocks_per_processor = 0;
  checkCudaErrors(cudaMallocManaged(&data, n * sizeof(int)));
  for (int i = 0; i < n; ++i) data[i] = i % 1000;
  checkCudaErrors(cudaOccupancyMaxPotentialBlockSize(&least_grid, &block, square, 0, 0));
  checkCudaErrors(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks_per_processor, square, block, 0));
  const double occupancy = static_cast<double>(blocks_per_processor) * block / device.maxThreadsPerMultiProcessor;
  std::printf("suggested block %d, least grid %d, occupancy %.0f %%\n", block, least_grid, 100 * occupancy);
  square<<<(n + block - 1) / block, block>>>(data, n);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = block % device.warpSize == 0 && block <= device.maxThreadsPerBlock && occupancy > 0.5 &&
                occupancy <= 1 && least_grid == blocks_per_processor * device.multiProcessorCount;
  for (int i = 0; i < n; ++i) passed = passed && data[i] == (i % 1000) * (i % 1000);
  checkCudaErrors(cudaFree(data));
  return passed;
}

bool launch_with_shared_memory() {
  int *data = nullptr, least_grid = 0, block = 0;
  checkCudaErrors(
      cudaOccupancyMaxPotentialBlockSizeVariableSMem(&least_grid, &block, reverse_blocks, shared_bytes_of, 512));
  const int n = 10 * block;
  checkCudaErrors(cudaMallocManaged(&data, n * sizeof(int)));
  for (int i = 0; i < n; ++i) data[i] = i;
  reverse_blocks<<<10, block, shared_bytes_of(block)>>>(data);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = block <= 512 && block > 0;
  for (int i = 0; i < n; ++i) passed = passed && data[i] == i / block * block + block - 1 - i % block;
  std::size_t available = 0;
  checkCudaErrors(cudaOccupancyAvailableDynamicSMemPerBlock(&available, reverse_blocks, 2, block));
  passed = passed && available >= shared_bytes_of(block);
  checkCudaErrors(cudaFree(data));
  return passed;
}

int main() {
  int count = 0, device = -1, runtime = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  checkCudaErrors(cudaSetDevice(0));
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaRuntimeGetVersion(&runtime));
  cudaDeviceProp properties{};
  checkCudaErrors(cudaGetDeviceProperties(&properties, device));
  std::printf("device %d of %d: %s, compute capability %d.%d, %d multiprocessors, %.1f GiB, CUDA %d.%d\n", device,
              count, properties.name, properties.major, properties.minor, properties.multiProcessorCount,
              static_cast<double>(properties.totalGlobalMem) / (1 << 30), runtime / 1000, runtime % 1000 / 10);
  bool passed = count > 0 && device == 0 && std::strlen(properties.name) > 0 && properties.warpSize == 32;

  std::size_t free_bytes = 0, total_bytes = 0;
  checkCudaErrors(cudaMemGetInfo(&free_bytes, &total_bytes));
  passed = passed && free_bytes <= total_bytes && total_bytes > 0;

  cudaFuncAttributes attributes{};
  checkCudaErrors(cudaFuncGetAttributes(&attributes, bounded));
  passed = passed && attributes.maxThreadsPerBlock == 128 && attributes.numRegs > 0;

  // A launch that cannot be is refused, and the program goes on.
  int* data = nullptr;
  checkCudaErrors(cudaMallocManaged(&data, 128 * sizeof(int)));
  for (int i = 0; i < 128; ++i) data[i] = i;
  bounded<<<1, 256>>>(data, 128);
  passed = passed && cudaGetLastError() != cudaSuccess;
  bounded<<<1, 128>>>(data, 128);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  for (int i = 0; i < 128; ++i) passed = passed && data[i] == i + 1;
  checkCudaErrors(cudaFree(data));

  const bool suggested = launch_with_suggested_size(properties);
  const bool shared = launch_with_shared_memory();
  return finish("occupancy", passed && suggested && shared);
}
