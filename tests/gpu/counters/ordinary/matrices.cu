// SPDX-License-Identifier: MIT
// Transposes and products of matrices.
#include "ordinary.h"

namespace ordinary {
namespace {

constexpr int tile = 32, rows = 8;

__global__ void transpose_naive(const float* in, float* out, int n) {
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) out[x * n + y + j] = in[(y + j) * n + x];
}

template <int padding>
__global__ void transpose_tiled(const float* in, float* out, int n) {
  __shared__ float part[tile][tile + padding];
  int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) part[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * tile + threadIdx.x;
  y = blockIdx.x * tile + threadIdx.y;
  for (int j = 0; j < tile; j += rows) out[(y + j) * n + x] = part[threadIdx.x][threadIdx.y + j];
}

__global__ void matmul_naive(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) return;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

template <class T, int side>
__global__ void matmul_tiled(const T* a, const T* b, T* c, int n) {
  __shared__ T as[side][side];
  __shared__ T bs[side][side];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * side + ty, column = blockIdx.x * side + tx;
  T sum = 0;
  for (int t = 0; t < n / side; ++t) {
    as[ty][tx] = a[row * n + t * side + tx];
    bs[ty][tx] = b[(t * side + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < side; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// 64 x 64 elements a block of 16 x 16 threads, 4 x 4 a thread.
__global__ void matmul_registers(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][64 + 4];
  __shared__ float bs[16][64];
  const int t = threadIdx.y * 16 + threadIdx.x;
  float sum[4][4] = {};
  for (int k0 = 0; k0 < n; k0 += 16) {
    for (int i = t; i < 1024; i += 256) {
      as[i % 16][i / 16] = a[(blockIdx.y * 64 + i / 16) * n + k0 + i % 16];
      bs[i / 64][i % 64] = b[(k0 + i / 64) * n + blockIdx.x * 64 + i % 64];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      float x[4], y[4];
      for (int i = 0; i < 4; ++i) x[i] = as[k][threadIdx.y * 4 + i];
      for (int j = 0; j < 4; ++j) y[j] = bs[k][threadIdx.x * 4 + j];
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(blockIdx.y * 64 + threadIdx.y * 4 + i) * n + blockIdx.x * 64 + threadIdx.x * 4 + j] = sum[i][j];
}

/// A warp a row, four numbers at a time.
__global__ void gemv_warp(const float4* a, const float4* x, float* y, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float sum = 0.0f;
  for (int i = lane; i < n / 4; i += 32) {
    const float4 p = a[row * (n / 4) + i], q = x[i];
    sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) y[row] = sum;
}

/// A thread a row of A in column-major order; x goes through shared memory in pieces.
__global__ void gemv_columns(const float* a, const float* x, float* y, int m, int n) {
  __shared__ float piece[128];
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 128) {
    piece[threadIdx.x] = x[first + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 128; ++i) sum += a[(first + i) * m + row] * piece[i];
    __syncthreads();
  }
  y[row] = sum;
}

/// One round of Floyd and Warshall for blocks of 16 x 16 distances: the rows and columns of the pivot are in shared
/// memory.
__global__ void floyd_warshall(unsigned* distances, const unsigned* rows_of, const unsigned* columns_of, int n) {
  __shared__ unsigned row[16][16], column[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  row[ty][tx] = rows_of[ty * n + x];
  column[ty][tx] = columns_of[y * 16 + tx];
  unsigned best = distances[y * n + x];
  __syncthreads();
  for (int k = 0; k < 16; ++k) best = min(best, column[ty][k] + row[k][tx]);
  distances[y * n + x] = best;
}

}  // namespace

void matrices() {
  const int most = pick(128 * 128, 1 << 25);
  const float *a = floats(most), *b = floats(pick(128 * 128, 1 << 24));
  float* c = zeros<float>(pick(128 * 128, 1 << 24));
  int n = pick(128, 4096, 2048);
  dim3 grid(n / tile, n / tile);
  launch("transpose naive", [=] { transpose_naive<<<grid, dim3(tile, rows)>>>(a, c, n); });
  n = pick(128, 4096);
  grid = dim3(n / tile, n / tile);
  launch("transpose tiled", [=] { transpose_tiled<0><<<grid, dim3(tile, rows)>>>(a, c, n); });
  n = pick(128, 4096, 2048);
  grid = dim3(n / tile, n / tile);
  launch("transpose padded", [=] { transpose_tiled<1><<<grid, dim3(tile, rows)>>>(a, c, n); });
  n = pick(120, 760);
  grid = dim3((n + 15) / 16, (n + 15) / 16);
  launch("matmul naive", [=] { matmul_naive<<<grid, dim3(16, 16)>>>(a, b, c, n); });
  n = pick(128, 1024, 512);
  grid = dim3(n / 16, n / 16);
  launch("matmul tile 16", [=] { matmul_tiled<float, 16><<<grid, dim3(16, 16)>>>(a, b, c, n); });
  n = pick(128, 1024);
  grid = dim3(n / 32, n / 32);
  launch("matmul tile 32", [=] { matmul_tiled<float, 32><<<grid, dim3(32, 32)>>>(a, b, c, n); });
  n = pick(64, 768);
  grid = dim3(n / 16, n / 16);
  const double *ad = doubles(n * n), *bd = doubles(n * n);
  double* cd = zeros<double>(n * n);
  launch("matmul double", [=] { matmul_tiled<double, 16><<<grid, dim3(16, 16)>>>(ad, bd, cd, n); });
  n = pick(128, 1536, 1024);
  grid = dim3(n / 64, n / 64);
  launch("matmul registers", [=] { matmul_registers<<<grid, dim3(16, 16)>>>(a, b, c, n); });
  n = pick(128, 4096, 2048);
  const auto a4 = reinterpret_cast<const float4*>(a), b4 = reinterpret_cast<const float4*>(b);
  const int blocks = pick(16, 1024, 512);
  launch("gemv warp a row", [=] { gemv_warp<<<blocks, 256>>>(a4, b4, c, n); });
  const int m = pick(128, 16384);
  n = pick(128, 2048);
  launch("gemv thread a row", [=] { gemv_columns<<<m / 128, 128>>>(a, b, c, m, n); });
  n = pick(128, 4096);
  grid = dim3(n / 16, n / 16);
  unsigned* distances = words(n * n, 1000);
  const unsigned *rows_of = words(16 * n, 1000), *columns_of = words(16 * n, 1000);
  launch("floyd warshall", [=] { floyd_warshall<<<grid, dim3(16, 16)>>>(distances, rows_of, columns_of, n); });
}

}  // namespace ordinary
