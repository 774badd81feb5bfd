// SPDX-License-Identifier: MIT
// Images and signals: convolutions, filters, transforms.
#include "ordinary.h"
#include "workbook/student/cuda_check.h"

namespace ordinary {
namespace {

constexpr int mask_width = 5, radius = 8;
__constant__ float mask[mask_width * mask_width];
__constant__ float line[2 * radius + 1];

__global__ void convolution_2d(const float* in, float* out, int width, int height) {
  constexpr int out_tile = 16, in_tile = out_tile + mask_width - 1;
  __shared__ float part[in_tile][in_tile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row_out = blockIdx.y * out_tile + ty, column_out = blockIdx.x * out_tile + tx;
  const int row_in = row_out - mask_width / 2, column_in = column_out - mask_width / 2;
  if (row_in >= 0 && row_in < height && column_in >= 0 && column_in < width)
    part[ty][tx] = in[row_in * width + column_in];
  else
    part[ty][tx] = 0.0f;
  __syncthreads();
  if (ty < out_tile && tx < out_tile && row_out < height && column_out < width) {
    float sum = 0.0f;
    for (int i = 0; i < mask_width; ++i)
      for (int j = 0; j < mask_width; ++j) sum += mask[i * mask_width + j] * part[i + ty][j + tx];
    out[row_out * width + column_out] = sum;
  }
}

/// 16 x 4 threads, eight results each, with a halo of 16 on both sides.
__global__ void convolution_rows(const float* in, float* out, int pitch) {
  __shared__ float part[4][10 * 16];
  const int base = (blockIdx.y * 4 + threadIdx.y) * pitch + blockIdx.x * 128 + threadIdx.x;
#pragma unroll
  for (int i = 0; i < 10; ++i) {
    const int x = blockIdx.x * 128 + threadIdx.x + (i - 1) * 16;
    part[threadIdx.y][threadIdx.x + i * 16] = x >= 0 && x < pitch ? in[base + (i - 1) * 16] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int i = 1; i < 9; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -radius; j <= radius; ++j) sum += line[radius - j] * part[threadIdx.y][threadIdx.x + i * 16 + j];
    out[base + (i - 1) * 16] = sum;
  }
}

__global__ void convolution_columns(const float* in, float* out, int pitch, int height) {
  __shared__ float part[16][10 * 8 + 1];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 64 - 8 + threadIdx.y;
#pragma unroll
  for (int i = 0; i < 10; ++i) {
    const int row = y + i * 8;
    part[threadIdx.x][threadIdx.y + i * 8] = row >= 0 && row < height ? in[row * pitch + x] : 0.0f;
  }
  __syncthreads();
#pragma unroll
  for (int i = 1; i < 9; ++i) {
    float sum = 0;
#pragma unroll
    for (int j = -radius; j <= radius; ++j) sum += line[radius - j] * part[threadIdx.x][threadIdx.y + i * 8 + j];
    out[(y + i * 8) * pitch + x] = sum;
  }
}

__global__ void sobel(const unsigned char* in, unsigned char* out, int width) {
  __shared__ unsigned char part[18][18];
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 18 * 18; i += 256)
    part[i / 18][i % 18] = in[(blockIdx.y * 16 + i / 18) * width + blockIdx.x * 16 + i % 18];
  __syncthreads();
  const int x = threadIdx.x, y = threadIdx.y;
  const int right = part[y][x + 2] + 2 * part[y + 1][x + 2] + part[y + 2][x + 2];
  const int left = part[y][x] + 2 * part[y + 1][x] + part[y + 2][x];
  const int top = part[y][x] + 2 * part[y][x + 1] + part[y][x + 2];
  const int bottom = part[y + 2][x] + 2 * part[y + 2][x + 1] + part[y + 2][x + 2];
  out[(blockIdx.y * 16 + y) * width + blockIdx.x * 16 + x] = min(abs(right - left) + abs(top - bottom), 255);
}

/// Median of nine: the window is sorted in a local array.
__global__ void median(const float* in, float* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float window[9];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) window[i * 3 + j] = in[(y + i) * width + x + j];
  for (int i = 0; i < 5; ++i) {
    int least = i;
    for (int j = i + 1; j < 9; ++j)
      if (window[j] < window[least]) least = j;
    const float smallest = window[least];
    window[least] = window[i];
    window[i] = smallest;
  }
  out[y * width + x] = window[4];
}

__global__ void gray(const uchar3* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<unsigned char>(0.299f * in[i].x + 0.587f * in[i].y + 0.114f * in[i].z);
}

__global__ void fft_256(const float2* in, float2* out) {
  __shared__ float2 data[256];
  const int t = threadIdx.x;
  data[__brev(t) >> 24] = in[blockIdx.x * 256 + t];
  data[__brev(t + 128) >> 24] = in[blockIdx.x * 256 + t + 128];
  for (int half = 1; half < 256; half *= 2) {
    __syncthreads();
    const int k = t % half, at = 2 * (t - k) + k;
    float sine, cosine;
    sincospif(-static_cast<float>(k) / half, &sine, &cosine);
    const float2 a = data[at], b = data[at + half];
    const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    data[at] = make_float2(a.x + turned.x, a.y + turned.y);
    data[at + half] = make_float2(a.x - turned.x, a.y - turned.y);
  }
  __syncthreads();
  out[blockIdx.x * 256 + t] = data[t];
  out[blockIdx.x * 256 + t + 128] = data[t + 128];
}

__global__ void walsh(const float* in, float* out, int log2n) {
  extern __shared__ float data[];
  const int n = 1 << log2n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = in[blockIdx.x * n + i];
  const int at = threadIdx.x;
  for (int stride = n >> 2; stride > 0; stride >>= 2) {
    const int low = at & (stride - 1), i0 = ((at - low) << 2) + low, i1 = i0 + stride, i2 = i1 + stride,
              i3 = i2 + stride;
    __syncthreads();
    const float d0 = data[i0], d1 = data[i1], d2 = data[i2], d3 = data[i3];
    const float s02 = d0 + d2, t02 = d0 - d2, s13 = d1 + d3, t13 = d1 - d3;
    data[i0] = s02 + s13;
    data[i1] = s02 - s13;
    data[i2] = t02 + t13;
    data[i3] = t02 - t13;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = data[i];
}

/// The cosine transform of 8 x 8 numbers, rows and then columns.
__global__ void dct_8x8(const float* in, const float* basis, float* out, int width) {
  __shared__ float values[8][8], half[8][8], table[8][8];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int at = (blockIdx.y * 8 + ty) * width + blockIdx.x * 8 + tx;
  values[ty][tx] = in[at];
  table[ty][tx] = basis[ty * 8 + tx];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 8; ++i) sum += values[ty][i] * table[tx][i];
  half[ty][tx] = sum;
  __syncthreads();
  sum = 0;
  for (int i = 0; i < 8; ++i) sum += table[ty][i] * half[i][tx];
  out[at] = sum;
}

}  // namespace

void images() {
  const float* in = floats(pick(1 << 15, 1 << 24));
  float* out = zeros<float>(pick(1 << 15, 1 << 24));
  CUDA_CHECK(cudaMemcpyToSymbol(mask, floats(sizeof(mask) / 4), sizeof(mask), 0, cudaMemcpyDeviceToDevice));
  CUDA_CHECK(cudaMemcpyToSymbol(line, floats(sizeof(line) / 4), sizeof(line), 0, cudaMemcpyDeviceToDevice));
  int n = pick(60, 4000, 2000);
  const int tiles = (n + 15) / 16;
  launch("convolution 2d", [=] { convolution_2d<<<dim3(tiles, tiles), dim3(20, 20)>>>(in, out, n, n); });
  n = pick(256, 4096);
  dim3 grid(n / 128, pick(8, 1024));
  launch("convolution rows", [=] { convolution_rows<<<grid, dim3(16, 4)>>>(in, out, n); });
  n = pick(128, 4096);
  grid = dim3(n / 16, n / 64);
  launch("convolution columns", [=] { convolution_columns<<<grid, dim3(16, 8)>>>(in, out, n, n); });
  n = pick(80, 4112);
  grid = dim3(pick(4, 256), pick(4, 256));
  const unsigned char* picture = bytes(pick(128 * 128, 4112 * 4112), 256);
  unsigned char* edges = zeros<unsigned char>(pick(128 * 128, 4112 * 4112));
  launch("sobel", [=] { sobel<<<grid, dim3(16, 16)>>>(picture, edges, n); });
  n = pick(72, 2056);
  grid = dim3(pick(2, 64), pick(8, 256));
  launch("median", [=] { median<<<grid, dim3(32, 8)>>>(in, out, n); });
  n = pick(2000, 1 << 24, 1 << 22);
  const auto colours = reinterpret_cast<const uchar3*>(bytes(3 * (n + 48), 256));
  unsigned char* grays = zeros<unsigned char>(n + 48);
  launch("gray", [=] { gray<<<(n + 255) / 256, 256>>>(colours, grays, n); });
  int blocks = pick(8, 16384);
  const auto in2 = reinterpret_cast<const float2*>(in);
  const auto out2 = reinterpret_cast<float2*>(out);
  launch("fft", [=] { fft_256<<<blocks, 128>>>(in2, out2); });
  blocks = pick(4, 8192);
  launch("walsh", [=] { walsh<<<blocks, 256, 1024 * sizeof(float)>>>(in, out, 10); });
  n = pick(64, 4096);
  launch("dct", [=] { dct_8x8<<<dim3(n / 8, n / 8), dim3(8, 8)>>>(in, in + 1000, out, n); });
}

}  // namespace ordinary
