// SPDX-License-Identifier: MIT
// Softmax of rows in one pass over the input: greatest element and sum go together, and pairs of them are merged.
#include "gallery.h"

struct Part {
  float greatest, sum;
};

__device__ Part merge(Part a, Part b) {
  const float greatest = fmaxf(a.greatest, b.greatest);
  if (greatest == -INFINITY) return a;
  return {greatest, a.sum * expf(a.greatest - greatest) + b.sum * expf(b.greatest - greatest)};
}

__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ Part parts[4];
  const float* row = in + blockIdx.x * columns;
  Part part{-INFINITY, 0};
  for (int i = threadIdx.x; i < columns; i += blockDim.x) part = merge(part, {row[i], 1});
  for (int offset = 16; offset > 0; offset /= 2) {
    part = merge(part, {__shfl_xor_sync(~0u, part.greatest, offset), __shfl_xor_sync(~0u, part.sum, offset)});
  }
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = part;
  __syncthreads();
  part = parts[0];
  for (int warp = 1; warp < 4; ++warp) part = merge(part, parts[warp]);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = expf(row[i] - part.greatest) / part.sum;
}

bool program() {
  constexpr int rows = 20, columns = 333;
  std::vector<float> in = uniform_vector(rows * columns);
  for (float& x : in) x = 40 * x - 20;
  Buffer<float> d_in(in), out(rows * columns);
  softmax<<<rows, 128>>>(d_in, out, columns);
  std::vector<double> expected(rows * columns);
  for (int row = 0; row < rows; ++row) {
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += std::exp(static_cast<double>(in[row * columns + i]));
    for (int i = 0; i < columns; ++i)
      expected[row * columns + i] = std::exp(static_cast<double>(in[row * columns + i])) / sum;
  }
  return all_close(out.host(), expected, 1e-5);
}
