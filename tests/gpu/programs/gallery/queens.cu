// SPDX-License-Identifier: MIT
// All ways to place eight queens: each thread has the first two and searches on with a stack of its own.
#include "gallery.h"

constexpr int n = 8, all = (1 << n) - 1;

__global__ void search(unsigned* solutions) {
  const int first = threadIdx.x / n, second = threadIdx.x % n;
  if (second == first || second == first + 1 || second == first - 1) return;
  unsigned columns[n + 1], left[n + 1], right[n + 1], free_places[n + 1], found = 0;
  int row = 2;
  columns[2] = 1u << first | 1u << second;
  left[2] = 1u << first << 2 | 1u << second << 1;
  right[2] = 1u << first >> 2 | 1u << second >> 1;
  free_places[2] = all & ~(columns[2] | left[2] | right[2]);
  while (row >= 2) {
    if (free_places[row] == 0) {
      --row;
      continue;
    }
    const unsigned place = free_places[row] & -free_places[row];
    free_places[row] ^= place;
    if (row == n - 1) {
      ++found;
      continue;
    }
    columns[row + 1] = columns[row] | place;
    left[row + 1] = (left[row] | place) << 1;
    right[row + 1] = (right[row] | place) >> 1;
    ++row;
    free_places[row] = all & ~(columns[row] | left[row] | right[row]);
  }
  atomicAdd(solutions, found);
}

bool program() {
  Buffer<unsigned> solutions(1);
  solutions.clear();
  search<<<1, n * n>>>(solutions);
  return solutions.host()[0] == 92;
}
