// SPDX-License-Identifier: MIT
// A sparse matrix in compressed rows times a vector, once with a thread a row, once with a warp a row.
#include "gallery.h"

__global__ void thread_a_row(const int* starts, const int* columns, const float* values, const float* x, float* y,
                             int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void warp_a_row(const int* starts, const int* columns, const float* values, const float* __restrict__ x,
                           float* y, int rows) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = starts[row] + lane; i < starts[row + 1]; i += 32) sum += values[i] * __ldg(&x[columns[i]]);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
  if (lane == 0) y[row] = sum;
}

bool program() {
  constexpr int rows = 500, width = 700;
  std::vector<int> starts{0}, columns;
  std::vector<float> values;
  for (int row = 0; row < rows; ++row) {
    for (unsigned i = 0; i < scramble(row) % 80; ++i) {
      columns.push_back(static_cast<int>(scramble(row * 100 + i) % width));
      values.push_back(uniform(row * 100 + i) - 0.5f);
    }
    starts.push_back(static_cast<int>(columns.size()));
  }
  const std::vector<float> x = uniform_vector(width, 5);
  std::vector<double> expected(rows, 0.0);
  for (int row = 0; row < rows; ++row)
    for (int i = starts[row]; i < starts[row + 1]; ++i) expected[row] += static_cast<double>(values[i]) * x[columns[i]];
  Buffer<int> d_starts(starts), d_columns(columns);
  Buffer<float> d_values(values), d_x(x), y(rows), y_of_warps(rows);
  thread_a_row<<<blocks_for(rows, 128), 128>>>(d_starts, d_columns, d_values, d_x, y, rows);
  warp_a_row<<<blocks_for(rows * 32, 128), 128>>>(d_starts, d_columns, d_values, d_x, y_of_warps, rows);
  return all_close(y.host(), expected, 1e-5) && all_close(y_of_warps.host(), expected, 1e-5);
}
