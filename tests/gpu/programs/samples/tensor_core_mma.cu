// SPDX-License-Identifier: MIT
// A product of square matrices with tensor cores, through PTX: tf32 for mma.sync m16n8k8, fragments by ldmatrix from
// padded tiles. The elements are small integers, so every sum is exact, and equal to the host's. The size is the
// program's argument, a multiple of 64.
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "helper_cuda.h"

constexpr int kTile = 64, kDepth = 16, kPitch = kDepth + 4;  // rows of 80 bytes: ldmatrix without bank conflicts

__device__ std::uint32_t to_tf32(float x) {
  std::uint32_t bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
  return bits;
}

/// Four matrices of 8 rows of 16 bytes; this lane has the address of row lane % 8 of matrix lane / 8.
__device__ void load_matrices(std::uint32_t (&r)[4], const std::uint32_t* row) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(row));
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
               : "r"(address));
}

__device__ void multiply_add(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// A block of four warps makes 64 x 64 elements of C, each warp 32 x 32.
__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ __align__(16) std::uint32_t tile_a[kTile][kPitch], tile_b[kTile][kPitch];  // of B, columns
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int row = warp / 2 * 32, column = warp % 2 * 32;
  const int first_row = blockIdx.y * kTile, first_column = blockIdx.x * kTile;
  float sum[2][4][4] = {};
  for (int k = 0; k < n; k += kDepth) {
    for (int i = t; i < kTile * kDepth; i += blockDim.x) {
      tile_a[i / kDepth][i % kDepth] = to_tf32(a[(first_row + i / kDepth) * n + k + i % kDepth]);
      tile_b[i % kTile][i / kTile] = to_tf32(b[(k + i / kTile) * n + first_column + i % kTile]);
    }
    __syncthreads();
    for (int step = 0; step < kDepth; step += 8) {
      std::uint32_t left[2][4], right[2][4];
      for (int i = 0; i < 2; ++i) {
        // The matrices: rows 0 to 7 and 8 to 15 of the first four terms, then of the next four.
        load_matrices(left[i], &tile_a[row + 16 * i + lane % 16][step + lane / 16 * 4]);
        // The order of B: columns 0 to 7, terms 0 to 3 and 4 to 7, then columns 8 to 15.
        load_matrices(right[i], &tile_b[column + 16 * i + lane % 8 + lane / 16 * 8][step + lane / 8 % 2 * 4]);
      }
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 4; ++j)
          multiply_add(sum[i][j], left[i], right[j / 2][j % 2 * 2], right[j / 2][j % 2 * 2 + 1]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 4; ++j) {
      for (int e = 0; e < 4; ++e) {
        const int y = first_row + row + 16 * i + lane / 4 + 8 * (e / 2);
        const int x = first_column + column + 8 * j + lane % 4 * 2 + e % 2;
        c[y * n + x] = sum[i][j][e];
      }
    }
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 128;
  const std::size_t bytes = sizeof(float) * n * n;
  std::vector<float> a(static_cast<std::size_t>(n) * n), b(a.size()), c(a.size());
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>(i * 7 % 31 - 15);
    b[i] = static_cast<float>(i * 5 % 29 - 14);
  }
  float *device_a, *device_b, *device_c;
  checkCudaErrors(cudaMalloc(&device_a, bytes));
  checkCudaErrors(cudaMalloc(&device_b, bytes));
  checkCudaErrors(cudaMalloc(&device_c, bytes));
  checkCudaErrors(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  checkCudaErrors(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));
  multiply<<<dim3(n / kTile, n / kTile), 128>>>(device_a, device_b, device_c, n);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(c.data(), device_c, bytes, cudaMemcpyDeviceToHost));
  std::vector<float> expected(a.size(), 0.0f);
  for (int y = 0; y < n; ++y) {
    for (int k = 0; k < n; ++k) {
      for (int x = 0; x < n; ++x) expected[y * n + x] += a[y * n + k] * b[k * n + x];
    }
  }
  for (float* memory : {device_a, device_b, device_c}) checkCudaErrors(cudaFree(memory));
  return finish("tensor_core_mma", c == expected);
}
