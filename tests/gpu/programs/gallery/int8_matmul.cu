// SPDX-License-Identifier: MIT
// A matrix product of 8-bit integers, four products an instruction, and the sums scaled back to 8 bits.
#include "gallery.h"

constexpr int tile = 16;

__global__ void multiply(const int* a, const int* b, signed char* c, int n, int words) {
  __shared__ int rows[tile][tile], columns[tile][tile + 1];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  int sum = 0;
  for (int begin = 0; begin < words; begin += tile) {
    rows[y][x] = a[row * words + begin + x];
    columns[y][x] = b[(blockIdx.x * tile + y) * words + begin + x];  // b is stored by columns
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum = __dp4a(rows[y][k], columns[x][k], sum);
    __syncthreads();
  }
  c[row * n + column] = static_cast<signed char>(max(-128, min(127, sum >> 10)));
}

bool program() {
  constexpr int n = 64, depth = 128;
  std::vector<signed char> a(n * depth), b(n * depth), expected(n * n);
  for (int i = 0; i < n * depth; ++i) {
    a[i] = static_cast<signed char>(scramble(i));
    b[i] = static_cast<signed char>(scramble(i + n * depth));
  }
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      int sum = 0;
      for (int k = 0; k < depth; ++k) sum += a[row * depth + k] * b[column * depth + k];
      expected[row * n + column] = static_cast<signed char>(std::max(-128, std::min(127, sum >> 10)));
    }
  Buffer<signed char> d_a(a), d_b(b), c(n * n);
  const auto words = [](signed char* bytes) { return reinterpret_cast<const int*>(bytes); };
  multiply<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(words(d_a), words(d_b), c, n, depth / 4);
  return c.host() == expected;
}
