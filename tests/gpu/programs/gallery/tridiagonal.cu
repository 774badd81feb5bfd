// SPDX-License-Identifier: MIT
// Tridiagonal systems by parallel cyclic reduction: a block a system, and every row is combined with ever farther ones.
#include "gallery.h"

constexpr int n = 128;

struct Row {
  float lower, middle, upper, right;
};

__global__ void solve(const Row* systems, float* x) {
  __shared__ Row rows[n];
  const int i = threadIdx.x;
  Row row = systems[blockIdx.x * n + i];
  for (int distance = 1; distance < n; distance *= 2) {
    rows[i] = row;
    __syncthreads();
    const Row before = i >= distance ? rows[i - distance] : Row{0, 1, 0, 0};
    const Row after = i + distance < n ? rows[i + distance] : Row{0, 1, 0, 0};
    const float a = -row.lower / before.middle, b = -row.upper / after.middle;
    row = {a * before.lower, row.middle + a * before.upper + b * after.lower, b * after.upper,
           row.right + a * before.right + b * after.right};
    __syncthreads();
  }
  x[blockIdx.x * n + i] = row.right / row.middle;
}

bool program() {
  constexpr int systems = 8;
  std::vector<Row> rows(systems * n);
  for (int i = 0; i < systems * n; ++i) {
    rows[i] = {i % n == 0 ? 0 : uniform(4 * i), 2.5f + uniform(4 * i + 1), i % n == n - 1 ? 0 : uniform(4 * i + 2),
               uniform(4 * i + 3)};
  }
  Buffer<Row> d_rows(rows);
  Buffer<float> x(systems * n);
  solve<<<systems, n>>>(d_rows, x);
  const std::vector<float> got = x.host();
  for (int i = 0; i < systems * n; ++i) {
    double sum = static_cast<double>(rows[i].middle) * got[i];
    if (i % n > 0) sum += static_cast<double>(rows[i].lower) * got[i - 1];
    if (i % n < n - 1) sum += static_cast<double>(rows[i].upper) * got[i + 1];
    if (!close(sum, rows[i].right, 1e-5)) return false;
  }
  return true;
}
