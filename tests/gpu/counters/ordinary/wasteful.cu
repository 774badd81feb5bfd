// SPDX-License-Identifier: MIT
// Kernels with a right result, each slow for one reason. They are only timed.
#include "ordinary.h"

namespace ordinary {
namespace {

constexpr int block = 256;

/// Each thread copies neighbouring numbers: the accesses of a warp lie far apart.
__global__ void copy_in_pieces(const float* in, float* out, int piece) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * piece;
  for (int i = 0; i < piece; ++i) out[first + i] = in[first + i];
}

__global__ void copy_bytes(const unsigned char* in, unsigned char* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

/// A thread a row.
__global__ void row_sums(const float* in, float* out, int columns) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int i = 0; i < columns; ++i) sum += in[row * columns + i];
  out[row] = sum;
}

__global__ void sum_of_one_block(const float* in, float* out, int n) {
  __shared__ float part[1024];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 1024) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 512; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = part[0];
}

/// Every thread adds to the same number.
__global__ void sum_by_atomics(const float* in, float* out) {
  atomicAdd(out, in[blockIdx.x * blockDim.x + threadIdx.x]);
}

/// The lanes of a warp are in different rows of A and of C.
__global__ void matmul_by_columns(const float* a, const float* b, float* c, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
  c[row * n + column] = sum;
}

/// All numbers of a warp's access are in one bank.
__global__ void reverse_columns(const float* in, float* out) {
  __shared__ float part[32][32];
  const int x = threadIdx.x, y = threadIdx.y, first = blockIdx.x * 1024;
  part[x][y] = in[first + y * 32 + x];
  __syncthreads();
  out[first + y * 32 + x] = part[x][31 - y];
}

/// Three of four threads have nothing to do, in each warp.
__global__ void square_quarter(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 4 == 0) {
    float x = in[i / 4];
    for (int k = 0; k < 64; ++k) x = x * x + 0.25f;
    out[i / 4] = x;
  }
}

/// The lanes of a warp take different ways.
__global__ void eight_ways(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  const int rounds = 16 * (i % 8 + 1);
  for (int k = 0; k < rounds; ++k) x = x * 0.5f + 0.125f;
  out[i] = x;
}

/// One warp a block, and so much shared memory that few blocks fit.
__global__ void few_warps(const float* in, float* out) {
  __shared__ float part[32 * 320];
  const int t = threadIdx.x;
  for (int i = t; i < 32 * 320; i += 32) part[i] = in[blockIdx.x * 32 * 320 + i];
  __syncwarp();
  float sum = 0.0f;
  for (int i = 0; i < 320; ++i) sum += part[i * 32 + t];
  out[blockIdx.x * 32 + t] = sum;
}

/// Heat along a rod of 1,024 points, with a barrier on both sides of each step.
__global__ void many_barriers(const float* in, float* out, int steps) {
  __shared__ float rod[1024];
  const int t = threadIdx.x, left = t > 0 ? t - 1 : t, right = t < 1023 ? t + 1 : t;
  rod[t] = in[blockIdx.x * 1024 + t];
  __syncthreads();
  for (int s = 0; s < steps; ++s) {
    const float next = rod[t] + 0.25f * (rod[left] - 2.0f * rod[t] + rod[right]);
    __syncthreads();
    rod[t] = next;
    __syncthreads();
  }
  out[blockIdx.x * 1024 + t] = rod[t];
}

/// A serial recurrence: nothing to overlap, and one block a multiprocessor.
__global__ void long_chain(const float* in, float* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int k = 0; k < rounds; ++k) x = x * 0.999f + 0.001f;
  out[i] = x;
}

}  // namespace

void wasteful() {
  if (!is_timed()) return;
  const float* in = floats(1 << 24);
  float* out = zeros<float>(1 << 24);
  int blocks = pick(0, 1024, 256);
  launch("copy in pieces", [=] { copy_in_pieces<<<blocks, block>>>(in, out, 32); });
  const unsigned char* text = bytes(1 << 24, 256);
  unsigned char* copied = zeros<unsigned char>(1 << 24);
  launch("copy bytes", [=] { copy_bytes<<<(1 << 24) / block, block>>>(text, copied); });
  launch("row sums", [=] { row_sums<<<16384 / 128, 128>>>(in, out, 1024); });
  int n = pick(0, 1 << 21, 1 << 18);
  launch("sum of one block", [=] { sum_of_one_block<<<1, 1024>>>(in, out, n); });
  blocks = pick(0, 1024, 256);
  launch("sum by atomics", [=] { sum_by_atomics<<<blocks, block>>>(in, out); });
  n = 512;
  launch("matmul by columns", [=] { matmul_by_columns<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, in + n * n, out, n); });
  launch("reverse columns", [=] { reverse_columns<<<16384, dim3(32, 32)>>>(in, out); });
  launch("square a quarter", [=] { square_quarter<<<32768, block>>>(in, out); });
  launch("eight ways", [=] { eight_ways<<<16384, block>>>(in, out); });
  launch("few warps", [=] { few_warps<<<1600, 32>>>(in, out); });
  blocks = pick(0, 264, 66);
  launch("many barriers", [=] { many_barriers<<<blocks, 1024>>>(in, out, 200); });
  launch("long chain", [=] { long_chain<<<132, 128>>>(in, out, 20000); });
}

}  // namespace ordinary
