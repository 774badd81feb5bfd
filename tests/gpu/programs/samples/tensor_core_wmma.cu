// SPDX-License-Identifier: MIT
// A product of matrices with nvcuda::wmma, a tile of 16 x 16 a warp. Halves with float sums, and a scaled sum with C
// element by element, where fragments of one kind may be combined. Then 8-bit integers, and a matrix by columns.
#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>
#include <vector>

#include "helper_cuda.h"

using namespace nvcuda;

constexpr int kSize = 64, kTile = 16;

/// D = 2 A B + 3 C, A by rows, B by columns.
__global__ void multiply(const __half* a, const __half* b, const float* c, float* d) {
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  wmma::fragment<wmma::matrix_a, kTile, kTile, kTile, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, kTile, kTile, kTile, __half, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, kTile, kTile, kTile, float> sum, addend;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < kSize; k += kTile) {
    wmma::load_matrix_sync(left, a + row * kSize + k, kSize);
    wmma::load_matrix_sync(right, b + column * kSize + k, kSize);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::load_matrix_sync(addend, c + row * kSize + column, kSize, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = 2.0f * sum.x[i] + 3.0f * addend.x[i];
  wmma::store_matrix_sync(d + row * kSize + column, sum, kSize, wmma::mem_row_major);
}

/// The same of bytes in tiles of 32 x 8, without C, through shared memory; D by columns.
__global__ void multiply_bytes(const signed char* a, const signed char* b, int* d) {
  __shared__ __align__(32) signed char tile_a[32][32];  // rows of 16, padded
  __shared__ __align__(32) signed char tile_b[8][32];
  const int row = blockIdx.y * 32, column = blockIdx.x * 8;
  wmma::fragment<wmma::matrix_a, 32, 8, 16, signed char, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 32, 8, 16, signed char, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, 32, 8, 16, int> sum;
  wmma::fill_fragment(sum, 0);
  for (int k = 0; k < kSize; k += 16) {
    for (int i = threadIdx.x; i < 32 * 16; i += 32) tile_a[i / 16][i % 16] = a[(row + i / 16) * kSize + k + i % 16];
    for (int i = threadIdx.x; i < 8 * 16; i += 32) tile_b[i / 16][i % 16] = b[(column + i / 16) * kSize + k + i % 16];
    __syncwarp();
    wmma::load_matrix_sync(left, &tile_a[0][0], 32);
    wmma::load_matrix_sync(right, &tile_b[0][0], 32);
    wmma::mma_sync(sum, left, right, sum);
    __syncwarp();
  }
  wmma::store_matrix_sync(d + column * kSize + row, sum, kSize, wmma::mem_col_major);
}

template <class T>
T* on_device(const std::vector<T>& host) {
  T* memory = nullptr;
  checkCudaErrors(cudaMalloc(&memory, host.size() * sizeof(T)));
  checkCudaErrors(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}

template <class T>
std::vector<T> from_device(T* memory, std::size_t count) {
  std::vector<T> host(count);
  checkCudaErrors(cudaMemcpy(host.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaFree(memory));
  return host;
}

int main() {
  constexpr int count = kSize * kSize;
  std::vector<__half> a(count), b(count);
  std::vector<signed char> bytes_a(count), bytes_b(count);
  std::vector<float> c(count);
  for (int i = 0; i < count; ++i) {
    bytes_a[i] = static_cast<signed char>(i * 7 % 31 - 15);
    bytes_b[i] = static_cast<signed char>(i * 5 % 29 - 14);
    a[i] = __float2half(bytes_a[i]);
    b[i] = __float2half(bytes_b[i]);
    c[i] = static_cast<float>(i % 17);
  }
  __half *device_a = on_device(a), *device_b = on_device(b);
  float *device_c = on_device(c), *device_d = on_device(std::vector<float>(count));
  multiply<<<dim3(kSize / kTile, kSize / kTile), 32>>>(device_a, device_b, device_c, device_d);
  checkCudaErrors(cudaGetLastError());
  signed char *device_bytes_a = on_device(bytes_a), *device_bytes_b = on_device(bytes_b);
  int* device_sums = on_device(std::vector<int>(count));
  multiply_bytes<<<dim3(kSize / 8, kSize / 32), 32>>>(device_bytes_a, device_bytes_b, device_sums);
  checkCudaErrors(cudaGetLastError());
  const std::vector<float> d = from_device(device_d, count);
  const std::vector<int> sums = from_device(device_sums, count);
  int wrong = 0;
  for (int y = 0; y < kSize; ++y) {
    for (int x = 0; x < kSize; ++x) {
      int sum = 0;
      for (int k = 0; k < kSize; ++k) sum += bytes_a[y * kSize + k] * bytes_b[x * kSize + k];
      wrong += d[y * kSize + x] != static_cast<float>(2 * sum) + 3.0f * c[y * kSize + x];
      wrong += sums[x * kSize + y] != sum;
    }
  }
  checkCudaErrors(cudaFree(device_a));
  checkCudaErrors(cudaFree(device_b));
  checkCudaErrors(cudaFree(device_c));
  checkCudaErrors(cudaFree(device_bytes_a));
  checkCudaErrors(cudaFree(device_bytes_b));
  return finish("tensor_core_wmma", wrong == 0);
}
