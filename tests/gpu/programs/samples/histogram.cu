// SPDX-License-Identifier: MIT
// Histograms of bytes in three ways. One has shared atomics with one histogram a warp. One has atomics that a warp
// joins by matching equal values. One goes straight into global memory. The last block, found by a ticket, adds up the
// partial histograms.
#include <vector>

#include "helper_cuda.h"

constexpr int bins = 256;
constexpr int warps = 4;

__device__ unsigned blocks_done = 0;

__global__ void shared_histogram(const uchar4* data, int n, unsigned* partial, unsigned* result) {
  __shared__ unsigned counts[warps][bins];
  __shared__ bool last;
  for (int i = threadIdx.x; i < warps * bins; i += blockDim.x) counts[0][i] = 0;
  __syncthreads();
  unsigned* mine = counts[threadIdx.x / 32];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uchar4 v = data[i];
    atomicAdd(&mine[v.x], 1u);
    atomicAdd(&mine[v.y], 1u);
    atomicAdd(&mine[v.z], 1u);
    atomicAdd(&mine[v.w], 1u);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    unsigned sum = 0;
    for (int warp = 0; warp < warps; ++warp) sum += counts[warp][bin];
    partial[blockIdx.x * bins + bin] = sum;
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  __threadfence();
  for (int bin = threadIdx.x; bin < bins; bin += blockDim.x) {
    unsigned sum = 0;
    for (unsigned block = 0; block < gridDim.x; ++block) sum += partial[block * bins + bin];
    result[bin] = sum;
  }
}

/// One atomic for all the lanes of a warp that hold the same byte.
__global__ void matched_histogram(const unsigned char* data, int n, unsigned* result) {
  const int stride = gridDim.x * blockDim.x;
  for (int first = blockIdx.x * blockDim.x; first < n; first += stride) {
    const int i = first + threadIdx.x;
    const unsigned here = __ballot_sync(0xffffffffu, i < n);
    if (i < n) {
      const unsigned same = __match_any_sync(here, data[i]);
      const int leader = __ffs(same) - 1;
      if (leader == threadIdx.x % 32) atomicAdd(&result[data[i]], __popc(same));
    }
  }
}

__global__ void plain_histogram(const unsigned char* data, int n, unsigned* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&result[data[i]], 1u);
}

int main() {
  constexpr int n = 100000, grid = 20;
  std::vector<unsigned char> data(n);
  std::vector<unsigned> expected(bins, 0), got(bins);
  unsigned state = 12345;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    data[i] = static_cast<unsigned char>((state >> 24) * (state >> 16 & 0xff) / 256);
    ++expected[data[i]];
  }
  unsigned char* d_data = nullptr;
  unsigned *d_partial = nullptr, *d_result = nullptr;
  checkCudaErrors(cudaMalloc(&d_data, n));
  checkCudaErrors(cudaMalloc(&d_partial, grid * bins * sizeof(unsigned)));
  checkCudaErrors(cudaMalloc(&d_result, bins * sizeof(unsigned)));
  checkCudaErrors(cudaMemcpy(d_data, data.data(), n, cudaMemcpyHostToDevice));
  bool passed = true;
  for (int way = 0; way < 4; ++way) {
    checkCudaErrors(cudaMemset(d_result, 0, bins * sizeof(unsigned)));
    if (way < 2) {  // twice: the ticket must wrap around
      shared_histogram<<<grid, 32 * warps>>>(reinterpret_cast<const uchar4*>(d_data), n / 4, d_partial, d_result);
    } else if (way == 2) {
      matched_histogram<<<grid, 256>>>(d_data, n, d_result);
    } else {
      plain_histogram<<<(n + 255) / 256, 256>>>(d_data, n, d_result);
    }
    checkCudaErrors(cudaGetLastError());
    checkCudaErrors(cudaMemcpy(got.data(), d_result, bins * sizeof(unsigned), cudaMemcpyDeviceToHost));
    if (got != expected) std::printf("histogram: way %d is wrong\n", way);
    passed = passed && got == expected;
  }
  checkCudaErrors(cudaFree(d_data));
  checkCudaErrors(cudaFree(d_partial));
  checkCudaErrors(cudaFree(d_result));
  return finish("histogram", passed);
}
