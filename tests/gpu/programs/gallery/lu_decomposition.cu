// SPDX-License-Identifier: MIT
// LU decomposition in place, a column at a time: two small launches a step, each needing what the last one wrote.
#include "gallery.h"

constexpr int n = 48;

__global__ void divide(float* a, int k) {
  const int row = k + 1 + threadIdx.x;
  if (row < n) a[row * n + k] /= a[k * n + k];
}

__global__ void update(float* a, int k) {
  const int row = k + 1 + blockIdx.y * 16 + threadIdx.y, column = k + 1 + blockIdx.x * 16 + threadIdx.x;
  if (row < n && column < n) a[row * n + column] -= a[row * n + k] * a[k * n + column];
}

bool program() {
  std::vector<float> a = uniform_vector(n * n);
  for (int i = 0; i < n; ++i) a[i * n + i] += n;  // so that no pivot is needed
  Buffer<float> d_a(a);
  for (int k = 0; k < n - 1; ++k) {
    divide<<<1, 64>>>(d_a, k);
    const int blocks = blocks_for(n - k - 1, 16);
    update<<<dim3(blocks, blocks), dim3(16, 16)>>>(d_a, k);
  }
  const std::vector<float> lu = d_a.host();
  std::vector<double> product(n * n, 0.0);
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column)
      for (int k = 0; k <= std::min(row, column); ++k)
        product[row * n + column] += (k == row ? 1.0 : lu[row * n + k]) * static_cast<double>(lu[k * n + column]);
  return all_close(product, a, 1e-5);
}
