// SPDX-License-Identifier: MIT
// Jacobi's iteration for the heat in a plate, until what changes is small: a sum over all blocks after each sweep.
#include "gallery.h"

constexpr int side = 66;

__global__ void sweep(const double* from, double* to, double* change) {
  __shared__ double sums[256];
  const int x = blockIdx.x * 16 + threadIdx.x + 1, y = blockIdx.y * 16 + threadIdx.y + 1, i = y * side + x;
  const double value = 0.25 * (from[i - 1] + from[i + 1] + from[i - side] + from[i + side]);
  to[i] = value;
  const int t = threadIdx.y * 16 + threadIdx.x;
  sums[t] = fabs(value - from[i]);
  for (int half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) sums[t] += sums[t + half];
  }
  if (t == 0) atomicAdd(change, sums[0]);
}

bool program() {
  std::vector<double> plate(side * side, 0.0);
  for (int x = 0; x < side; ++x) plate[x] = 1.0;  // the upper edge is hot
  std::vector<double> expected = plate, next = plate;
  Buffer<double> first(plate), second(plate), change(1);
  double *from = first, *to = second;
  int sweeps = 0;
  for (double changed = 1e9; changed > 4.0; ++sweeps) {
    change.clear();
    sweep<<<dim3(4, 4), dim3(16, 16)>>>(from, to, change);
    changed = change.host()[0];
    std::swap(from, to);
  }
  for (int s = 0; s < sweeps; ++s) {
    for (int y = 1; y < side - 1; ++y)
      for (int x = 1; x < side - 1; ++x) {
        const int i = y * side + x;
        next[i] = 0.25 * (expected[i - 1] + expected[i + 1] + expected[i - side] + expected[i + side]);
      }
    expected.swap(next);
  }
  return sweeps > 10 && all_close((sweeps % 2 ? second : first).host(), expected, 1e-12);
}
