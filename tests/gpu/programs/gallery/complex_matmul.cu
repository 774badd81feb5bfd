// SPDX-License-Identifier: MIT
// A product of complex matrices in double precision, of a size that is no multiple of the tile, with cuComplex.h.
#include <cuComplex.h>

#include "gallery.h"

constexpr int tile = 8;

__global__ void multiply(const cuDoubleComplex* a, const cuDoubleComplex* b, cuDoubleComplex* c, int n) {
  __shared__ cuDoubleComplex left[tile][tile], right[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  cuDoubleComplex sum = make_cuDoubleComplex(0, 0);
  for (int begin = 0; begin < n; begin += tile) {
    const cuDoubleComplex zero = make_cuDoubleComplex(0, 0);
    left[y][x] = row < n && begin + x < n ? a[row * n + begin + x] : zero;
    right[y][x] = begin + y < n && column < n ? b[(begin + y) * n + column] : zero;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum = cuCfma(left[y][k], right[k][x], sum);
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

bool program() {
  constexpr int n = 27;
  std::vector<cuDoubleComplex> a(n * n), b(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = make_cuDoubleComplex(uniform(4 * i) - 0.5, uniform(4 * i + 1) - 0.5);
    b[i] = make_cuDoubleComplex(uniform(4 * i + 2) - 0.5, uniform(4 * i + 3) - 0.5);
  }
  Buffer<cuDoubleComplex> d_a(a), d_b(b), c(n * n);
  const int blocks = blocks_for(n, tile);
  multiply<<<dim3(blocks, blocks), dim3(tile, tile)>>>(d_a, d_b, c, n);
  const std::vector<cuDoubleComplex> got = c.host();
  for (int i = 0; i < n * n; ++i) {
    cuDoubleComplex sum = make_cuDoubleComplex(0, 0);
    for (int k = 0; k < n; ++k) sum = cuCadd(sum, cuCmul(a[i / n * n + k], b[k * n + i % n]));
    if (!close(got[i].x, sum.x, 1e-13) || !close(got[i].y, sum.y, 1e-13)) return false;
  }
  return true;
}
