// SPDX-License-Identifier: MIT
// Dense matrices: products, factors, transposes.
#include "unseen.h"

namespace unseen {
namespace {

/// A row a thread, as a beginner writes it.
__global__ void rows_by_thread(const float* a, const float* x, float* y, int rows, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int k = 0; k < columns; ++k) sum += a[row * columns + k] * x[k];
  y[row] = sum;
}

/// The transposed matrix times a vector: a column a thread, 64 rows a block.
__global__ void transposed_times(const double* a, const double* x, double* y, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x, first = blockIdx.y * 64;
  if (column >= columns) return;
  double sum = 0.0;
  for (int row = first; row < first + 64; ++row) sum += a[row * columns + column] * x[row];
  atomicAdd(&y[column], sum);
}

__global__ void product_double(const double* a, const double* b, double* c, int n) {
  __shared__ double as[16][16], bs[16][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  double sum = 0.0;
  for (int first = 0; first < n; first += 16) {
    as[ty][tx] = a[row * n + first + tx];
    bs[ty][tx] = b[(first + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

/// Bytes, four in a word; the second matrix is transposed.
__global__ void product_int8(const int* a, const int* b, int* c, int n, int terms) {
  __shared__ int as[32][33], bs[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int sums[4] = {0, 0, 0, 0};
  for (int first = 0; first < terms / 4; first += 32) {
    for (int k = 0; k < 32; k += 8) {
      as[ty + k][tx] = a[(blockIdx.y * 32 + ty + k) * (terms / 4) + first + tx];
      bs[ty + k][tx] = b[(blockIdx.x * 32 + ty + k) * (terms / 4) + first + tx];
    }
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int r = 0; r < 4; ++r) sums[r] = __dp4a(as[ty + 8 * r][k], bs[tx][k], sums[r]);
    __syncthreads();
  }
  for (int r = 0; r < 4; ++r) c[(blockIdx.y * 32 + ty + 8 * r) * n + blockIdx.x * 32 + tx] = sums[r];
}

/// Many products of 4 x 4: an element a thread.
__global__ void products_4x4(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 16 * n) return;
  const float *row = a + (i & ~3), *column = b + (i & ~15) + i % 4;
  c[i] = row[0] * column[0] + row[1] * column[4] + row[2] * column[8] + row[3] * column[12];
}

__global__ void inverses_3x3(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float m[9];
  for (int k = 0; k < 9; ++k) m[k] = in[9 * i + k] + (k % 4 == 0 ? 2.0f : 0.0f);
  const float p = m[4] * m[8] - m[5] * m[7], q = m[5] * m[6] - m[3] * m[8], r = m[3] * m[7] - m[4] * m[6];
  const float s = 1.0f / (m[0] * p + m[1] * q + m[2] * r);
  float* o = out + 9 * i;
  o[0] = p * s;
  o[1] = (m[2] * m[7] - m[1] * m[8]) * s;
  o[2] = (m[1] * m[5] - m[2] * m[4]) * s;
  o[3] = q * s;
  o[4] = (m[0] * m[8] - m[2] * m[6]) * s;
  o[5] = (m[2] * m[3] - m[0] * m[5]) * s;
  o[6] = r * s;
  o[7] = (m[1] * m[6] - m[0] * m[7]) * s;
  o[8] = (m[0] * m[4] - m[1] * m[3]) * s;
}

__global__ void transpose_any(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (x < width && y + k < height) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (x < height && y + k < width) out[(y + k) * height + x] = tile[threadIdx.x][threadIdx.y + k];
}

/// Writes are together, reads are apart.
__global__ void transpose_double(const double* in, double* out, int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height) out[i] = in[i % height * width + i / height];
}

/// One step of an elimination without pivots: all below and right of the pivot.
__global__ void lu_step(float* a, int n, int k) {
  const int column = k + 1 + blockIdx.x * blockDim.x + threadIdx.x, row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
  if (row < n && column < n) a[row * n + column] -= a[row * n + k] / a[k * n + k] * a[k * n + column];
}

/// A matrix of 32 x 32 a block, whose factor is computed in shared memory.
__global__ void cholesky_32(const float* in, float* out) {
  __shared__ float a[32][33];
  const int t = threadIdx.x;
  for (int row = 0; row < 32; ++row)
    a[row][t] = in[(blockIdx.x * 32 + row) * 32 + t] * 0.01f + (row == t ? 4.0f : 0.0f);
  __syncwarp();
  for (int k = 0; k < 32; ++k) {
    if (t == k) a[k][k] = sqrtf(a[k][k]);
    __syncwarp();
    if (t > k) a[t][k] /= a[k][k];
    __syncwarp();
    for (int column = k + 1; column <= t; ++column) a[t][column] -= a[t][k] * a[column][k];
    __syncwarp();
  }
  for (int row = 0; row < 32; ++row) out[(blockIdx.x * 32 + row) * 32 + t] = t <= row ? a[row][t] : 0.0f;
}

/// One triangle, many right sides: a side a thread.
__global__ void triangle_solve(const float* triangle, const float* sides, float* out, int n) {
  __shared__ float l[32][32];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) l[i / 32][i % 32] = triangle[i];
  __syncthreads();
  const int side = blockIdx.x * blockDim.x + threadIdx.x;
  if (side >= n) return;
  float x[32];
#pragma unroll
  for (int row = 0; row < 32; ++row) {
    x[row] = sides[row * n + side];
#pragma unroll
    for (int k = 0; k < row; ++k) x[row] -= l[row][k] * x[k];
    x[row] /= l[row][row] + 1.0f;
    out[row * n + side] = x[row];
  }
}

__global__ void outer_product(const float* x, const float* y, float* out, int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column < columns) out[blockIdx.y * columns + column] = x[blockIdx.y] * y[column];
}

/// Rows of 64 numbers times a matrix of 64 x 64, all of which lies in shared memory.
__global__ void tall_product(const float* a, const float* b, float* c) {
  __shared__ float bs[64][64], as[4][64];
  const int tx = threadIdx.x, ty = threadIdx.y;
  for (int k = ty; k < 64; k += 4) bs[k][tx] = b[64 * k + tx];
  for (int row = blockIdx.x * 64 + ty; row < blockIdx.x * 64 + 64; row += 4) {
    as[ty][tx] = a[64 * row + tx];
    __syncthreads();
    float sum = 0.0f;
#pragma unroll 16
    for (int k = 0; k < 64; ++k) sum += as[ty][k] * bs[k][tx];
    c[64 * row + tx] = fmaxf(sum, 0.0f);
    __syncthreads();
  }
}

}  // namespace

void dense() {
  const float* x = floats(pick(1 << 15, 1 << 23));
  float* y = zeros<float>(pick(1 << 15, 1 << 24));
  const double* d = doubles(pick(1 << 14, 1 << 22));
  double* e = zeros<double>(pick(1 << 14, 1 << 22));
  int n = pick(100, 2500), m = pick(64, 1800);
  launch("rows by thread", [=] { rows_by_thread<<<blocks_of(n, 128), 128>>>(x, x, y, n, m); });
  n = pick(100, 2000);
  m = pick(64, 2048);
  const dim3 slices(blocks_of(n, 128), m / 64);
  launch("transposed times", [=] { transposed_times<<<slices, 128>>>(d, d, e, n); });
  n = pick(64, 480, 640);
  launch("product double", [=] { product_double<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(d, d, e, n); });
  n = pick(64, 768, 1152);
  const int terms = pick(128, 768, 1152);
  const auto packed = reinterpret_cast<const int*>(bytes(n * terms, 256));
  int* product = zeros<int>(n * n);
  launch("product int8",
         [=] { product_int8<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(packed, packed, product, n, terms); });
  n = pick(100, 300000);
  launch("products 4x4", [=] { products_4x4<<<blocks_of(16 * n), kBlock>>>(x, x + 64, y, n); });
  n = pick(300, 600000);
  launch("inverses 3x3", [=] { inverses_3x3<<<blocks_of(n, 128), 128>>>(x, y, n); });
  n = pick(70, 1999, 2047);
  m = pick(45, 3001, 4097);
  const dim3 tiles(blocks_of(n, 32), blocks_of(m, 32));
  launch("transpose any", [=] { transpose_any<<<tiles, dim3(32, 8)>>>(x, y, n, m); });
  n = pick(70, 1203);
  m = pick(45, 1801);
  launch("transpose double", [=] { transpose_double<<<blocks_of(n * m), kBlock>>>(d, e, n, m); });
  n = pick(64, 2800);
  float* square = floats(n * n);
  launch("lu step", [=] { lu_step<<<dim3(blocks_of(n - 1, 32), blocks_of(n - 1, 8)), dim3(32, 8)>>>(square, n, 0); });
  n = pick(4, 2000);
  launch("cholesky 32", [=] { cholesky_32<<<n, 32>>>(x, y); });
  n = pick(200, 200000);
  launch("triangle solve", [=] { triangle_solve<<<blocks_of(n, 128), 128>>>(x, x, y, n); });
  n = pick(100, 4000);
  m = pick(50, 4000);
  launch("outer product", [=] { outer_product<<<dim3(blocks_of(n), m), kBlock>>>(x, x, y, n); });
  n = pick(4, 1000);
  launch("tall product", [=] { tall_product<<<n, dim3(64, 4)>>>(x, x, y); });
}

}  // namespace unseen
