// SPDX-License-Identifier: MIT
// Layer normalisation: a block a row, float4 loads, mean and variance by shuffles and a word of shared memory a warp.
#include "gallery.h"

constexpr int columns = 512, block = columns / 4;

__device__ float sum_of_block(float value) {
  __shared__ float warps[block / 32];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(~0u, value, offset);
  __syncthreads();  // who still reads the last sum
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = value;
  __syncthreads();
  float sum = 0;
  for (float warp : warps) sum += warp;
  return sum;
}

__global__ void normalise(const float4* in, const float* scale, const float* shift, float* out) {
  const float4 x = in[blockIdx.x * block + threadIdx.x];
  const float mean = sum_of_block(x.x + x.y + x.z + x.w) / columns;
  const float d[4] = {x.x - mean, x.y - mean, x.z - mean, x.w - mean};
  const float variance = sum_of_block(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + d[3] * d[3]) / columns;
  const float factor = rsqrtf(variance + 1e-5f);
  for (int i = 0; i < 4; ++i) {
    const int column = 4 * threadIdx.x + i;
    out[blockIdx.x * columns + column] = d[i] * factor * scale[column] + shift[column];
  }
}

bool program() {
  constexpr int rows = 24;
  const std::vector<float> in = uniform_vector(rows * columns), scale = uniform_vector(columns, 1 << 20),
                           shift = uniform_vector(columns, 1 << 21);
  Buffer<float> d_in(in), d_scale(scale), d_shift(shift), out(rows * columns);
  normalise<<<rows, block>>>(reinterpret_cast<const float4*>(static_cast<float*>(d_in)), d_scale, d_shift, out);
  std::vector<double> expected(rows * columns);
  for (int row = 0; row < rows; ++row) {
    double mean = 0, variance = 0;
    const float* x = &in[row * columns];
    for (int i = 0; i < columns; ++i) mean += x[i] / static_cast<double>(columns);
    for (int i = 0; i < columns; ++i) variance += (x[i] - mean) * (x[i] - mean) / columns;
    for (int i = 0; i < columns; ++i)
      expected[row * columns + i] = (x[i] - mean) / std::sqrt(variance + 1e-5) * scale[i] + shift[i];
  }
  return all_close(out.host(), expected, 1e-5);
}
