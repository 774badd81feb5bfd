// SPDX-License-Identifier: MIT
// Many numbers become few.
#include <cuda_fp16.h>

#include "unseen.h"
#include "workbook/student/cuda_check.h"

namespace unseen {
namespace {

template <class T>
__device__ T warp_sum(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

/// The place of the smallest: its value above, its place below, in one word of 64 bits.
__global__ void place_of_smallest(const unsigned* in, unsigned long long* out, int n) {
  unsigned long long best = ~0ull;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned long long one = static_cast<unsigned long long>(in[i]) << 32 | i;
    best = one < best ? one : best;
  }
  for (int offset = 16; offset > 0; offset /= 2) {
    const unsigned long long other = __shfl_xor_sync(0xffffffffu, best, offset);
    best = other < best ? other : best;
  }
  if (threadIdx.x % 32 == 0) atomicMin(out, best);
}

/// A block has a row: first its mean, then the mean of the squared differences.
__global__ void row_variance(const float* in, float* out, int columns) {
  __shared__ float part[128];
  const float* row = in + blockIdx.x * columns;
  float mean = 0.0f, result = 0.0f;
  for (int pass = 0; pass < 2; ++pass) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += 128) sum += pass == 0 ? row[i] : (row[i] - mean) * (row[i] - mean);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 64; s > 0; s >>= 1) {
      if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
      __syncthreads();
    }
    result = part[0] / columns;
    mean = result;
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = result;
}

/// A warp has a segment, which begins at any place.
__global__ void segment_sums(const float* in, const unsigned* starts, float* out, int segments) {
  const int segment = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (segment >= segments) return;
  const unsigned end = 6 * starts[segment + 1];
  float sum = 0.0f;
  for (unsigned i = 6 * starts[segment] + lane; i < end; i += 32) sum += in[i];
  sum = warp_sum(sum);
  if (lane == 0) out[segment] = sum;
}

__global__ void log_sum_exp(const float* in, float* out, int rows, int columns) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  float most = -1e30f, sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += 32) most = fmaxf(most, in[row * columns + i]);
  for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, offset));
  for (int i = threadIdx.x; i < columns; i += 32) sum += expf(in[row * columns + i] - most);
  sum = warp_sum(sum);
  if (threadIdx.x == 0) out[row] = most + logf(sum);
}

__global__ void dot_double(const double* a, const double* b, double* out, int n) {
  __shared__ double part[8];
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x >= 32) return;
  sum = warp_sum(threadIdx.x < 8 ? part[threadIdx.x] : 0.0);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

/// The four largest of a row, by one warp: each lane keeps its own four, then the largest heads win.
__global__ void top_four(const float* in, float* out, int columns) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float a = -1.0f, b = -1.0f, c = -1.0f, d = -1.0f;
  for (int i = lane; i < columns; i += 32) {
    const float x = in[row * columns + i];
    if (x > d) {
      d = x;
      if (d > c) {
        const float t = c;
        c = d;
        d = t;
      }
      if (c > b) {
        const float t = b;
        b = c;
        c = t;
      }
      if (b > a) {
        const float t = a;
        a = b;
        b = t;
      }
    }
  }
  for (int k = 0; k < 4; ++k) {
    float most = a;
    for (int offset = 16; offset > 0; offset /= 2) most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, offset));
    const unsigned holders = __ballot_sync(0xffffffffu, a == most);
    if (lane == __ffs(holders) - 1) {
      a = b;
      b = c;
      c = d;
      d = -1.0f;
    }
    if (lane == k) out[row * 4 + k] = most;
  }
}

/// Images of `size` numbers in `channels` channels: mean and variance of a channel.
__global__ void batch_norm_sums(const float* in, float2* out, int images, int channels, int size) {
  __shared__ float sums[256], squares[256];
  float sum = 0.0f, square = 0.0f;
  for (int i = threadIdx.x; i < images * size; i += 256) {
    const float x = in[(i / size * channels + blockIdx.x) * size + i % size];
    sum += x;
    square += x * x;
  }
  sums[threadIdx.x] = sum;
  squares[threadIdx.x] = square;
  __syncthreads();
  for (int s = 128; s > 0; s >>= 1) {
    if (threadIdx.x < s) {
      sums[threadIdx.x] += sums[threadIdx.x + s];
      squares[threadIdx.x] += squares[threadIdx.x + s];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = make_float2(sums[0] / (images * size), squares[0] / (images * size));
}

__global__ void count_above(const float* in, unsigned* out, float limit, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned votes = __ballot_sync(0xffffffffu, i < n && in[i] > limit);
  if (threadIdx.x % 32 == 0) atomicAdd(out, __popc(votes));
}

__global__ void rms_norm(const __half2* in, const __half2* weight, __half2* out, int columns) {
  __shared__ float part[4];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += 128) {
    const float2 x = __half22float2(in[blockIdx.x * columns + i]);
    sum += x.x * x.x + x.y * x.y;
  }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
  __syncthreads();
  const float scale = rsqrtf((part[0] + part[1] + part[2] + part[3]) / (2 * columns) + 1e-5f);
  for (int i = threadIdx.x; i < columns; i += 128)
    out[blockIdx.x * columns + i] = __hmul2(__hmul2(in[blockIdx.x * columns + i], __float2half2_rn(scale)), weight[i]);
}

/// The first steps of the textbook: neighbours meet, and all blocks write a number.
__global__ void product_of_all(const double* in, double* out) {
  __shared__ double part[512];
  part[threadIdx.x] = 1.0 + 1e-6 * in[blockIdx.x * 512 + threadIdx.x];
  __syncthreads();
  for (unsigned s = 1; s < 512; s *= 2) {
    if (threadIdx.x % (2 * s) == 0) part[threadIdx.x] *= part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

/// One thread does all, as a first program often has it.
__global__ void lone_thread(const float* in, float* out, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; ++i) sum += in[i] * in[i];
  *out = sqrtf(sum);
}

}  // namespace

void reductions() {
  const float* x = floats(pick(1 << 15, 1 << 24));
  float* y = zeros<float>(pick(1 << 15, 1 << 24));
  int n = pick(5000, 1 << 23, 1 << 25);
  int blocks = pick(4, 528);
  const unsigned* keys = words(n, 1u << 31);
  const auto best = zeros<unsigned long long>(1);
  const auto fill = [=] { CUDA_CHECK(cudaMemset(best, 0xff, sizeof *best)); };
  launch(
      "place of smallest", [=] { place_of_smallest<<<blocks, kBlock>>>(keys, best, n); }, fill);
  n = pick(300, 2000);
  blocks = pick(4, 3000, 8000);
  launch("row variance", [=] { row_variance<<<blocks, 128>>>(x, y, n); });
  n = pick(200, 1 << 17);
  const unsigned* starts = sorted(n + 1);
  launch("segment sums", [=] { segment_sums<<<blocks_of(32 * n), kBlock>>>(x, starts, y, n); });
  n = pick(30, 8191);
  const int columns = pick(100, 1000);
  launch("log sum exp", [=] { log_sum_exp<<<blocks_of(n, 4), dim3(32, 4)>>>(x, y, n, columns); });
  n = pick(3000, 1 << 22);
  blocks = pick(4, 264);
  const double* d = doubles(n);
  const auto total = zeros<double>(1);
  launch("dot double", [=] { dot_double<<<blocks, kBlock>>>(d, d, total, n); });
  blocks = pick(4, 1000);
  launch("top four", [=] { top_four<<<blocks, kBlock>>>(x, y, columns); });
  const int images = pick(3, 32), size = pick(49, 28 * 28);
  blocks = pick(4, 256, 64);
  const auto y2 = reinterpret_cast<float2*>(y);
  launch("batch norm sums", [=] { batch_norm_sums<<<blocks, 256>>>(x, y2, images, blocks, size); });
  n = pick(4000, 10000000);
  const auto count = zeros<unsigned>(1);
  launch("count above", [=] { count_above<<<blocks_of(n), kBlock>>>(x, count, 0.9f, n); });
  n = pick(160, 768);
  blocks = pick(4, 8192);
  const __half2* halves = zeros<__half2>(n * blocks);
  __half2* normed = zeros<__half2>(n * blocks);
  launch("rms norm", [=] { rms_norm<<<blocks, 128>>>(halves, halves, normed, n); });
  n = pick(4, 4096);
  double* products = zeros<double>(n);
  const double* factors = doubles(512 * n);
  launch("product of all", [=] { product_of_all<<<n, 512>>>(factors, products); });
  n = pick(300, 100000);
  launch("lone thread", [=] { lone_thread<<<1, 1>>>(x, y, n); });
}

}  // namespace unseen
