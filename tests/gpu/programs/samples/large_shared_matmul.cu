// SPDX-License-Identifier: MIT
// C = A * B with tiles of 80 x 80 values in dynamic shared memory: more than the 48 KiB that a kernel gets unasked.
#include <cmath>
#include <vector>

#include "helper_cuda.h"

template <int tile, int threads_a_side>
__global__ void multiply(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  constexpr int per_thread = tile / threads_a_side;
  extern __shared__ float storage[];
  auto a_tile = reinterpret_cast<float(*)[tile]>(storage);
  auto b_tile = reinterpret_cast<float(*)[tile]>(storage + tile * tile);
  float sum[per_thread][per_thread] = {};
  const int row = blockIdx.y * tile, column = blockIdx.x * tile;
  for (int k0 = 0; k0 < n; k0 += tile) {
    for (int y = threadIdx.y; y < tile; y += threads_a_side) {
      for (int x = threadIdx.x; x < tile; x += threads_a_side) {
        a_tile[y][x] = row + y < n && k0 + x < n ? a[(row + y) * n + k0 + x] : 0;
        b_tile[y][x] = k0 + y < n && column + x < n ? b[(k0 + y) * n + column + x] : 0;
      }
    }
    __syncthreads();
    for (int k = 0; k < tile; ++k) {
#pragma unroll
      for (int i = 0; i < per_thread; ++i) {
#pragma unroll
        for (int j = 0; j < per_thread; ++j) {
          sum[i][j] += a_tile[threadIdx.y + i * threads_a_side][k] * b_tile[k][threadIdx.x + j * threads_a_side];
        }
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < per_thread; ++i) {
    for (int j = 0; j < per_thread; ++j) {
      const int y = row + threadIdx.y + i * threads_a_side, x = column + threadIdx.x + j * threads_a_side;
      if (y < n && x < n) c[y * n + x] = sum[i][j];
    }
  }
}

int main() {
  constexpr int tile = 80, threads_a_side = 16, n = 200;
  constexpr std::size_t shared_bytes = 2 * tile * tile * sizeof(float);
  static_assert(shared_bytes > 48 * 1024, "or there would be nothing to ask for");
  int most = 0;
  checkCudaErrors(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  if (static_cast<std::size_t>(most) < shared_bytes) {
    std::printf("large_shared_matmul: this device has only %d bytes of shared memory a block\n", most);
    return 77;
  }
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i * 31 % 17) - 8;
    b[i] = static_cast<float>(i * 13 % 23) - 11;
  }
  float *d_a = nullptr, *d_b = nullptr, *d_c = nullptr;
  const std::size_t bytes = n * n * sizeof(float);
  checkCudaErrors(cudaMalloc(&d_a, bytes));
  checkCudaErrors(cudaMalloc(&d_b, bytes));
  checkCudaErrors(cudaMalloc(&d_c, bytes));
  checkCudaErrors(cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice));

  const auto kernel = multiply<tile, threads_a_side>;
  const dim3 grid((n + tile - 1) / tile, (n + tile - 1) / tile), block(threads_a_side, threads_a_side);
  kernel<<<grid, block, shared_bytes>>>(d_a, d_b, d_c, n);
  bool passed = cudaGetLastError() == cudaErrorInvalidValue;  // not asked for yet
  checkCudaErrors(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes));
  checkCudaErrors(
      cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
  kernel<<<grid, block, shared_bytes>>>(d_a, d_b, d_c, n);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost));

  // Small integers: every partial sum is exact, in any order.
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      float expected = 0;
      for (int k = 0; k < n; ++k) expected += a[y * n + k] * b[k * n + x];
      passed = passed && c[y * n + x] == expected;
    }
  }
  checkCudaErrors(cudaFree(d_a));
  checkCudaErrors(cudaFree(d_b));
  checkCudaErrors(cudaFree(d_c));
  return finish("large_shared_matmul", passed);
}
