// SPDX-License-Identifier: MIT
// Two sorted sequences merged: each thread finds by a binary search on its diagonal where its part of the result
// begins.
#include "gallery.h"

constexpr int part = 7;

__device__ int split(const int* a, int na, const int* b, int nb, int diagonal) {
  int low = max(0, diagonal - nb), high = min(diagonal, na);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle]) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

__global__ void merge(const int* a, int na, const int* b, int nb, int* out) {
  const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * part, end = min(begin + part, na + nb);
  if (begin >= end) return;
  int i = split(a, na, b, nb, begin), j = begin - i;
  for (int k = begin; k < end; ++k) {
    const bool from_a = j >= nb || (i < na && a[i] <= b[j]);
    out[k] = from_a ? a[i++] : b[j++];
  }
}

bool program() {
  constexpr int na = 3001, nb = 1777;
  std::vector<int> a(na), b(nb), expected(na + nb);
  for (int i = 0; i < na; ++i) a[i] = static_cast<int>(scramble(i) % 5000);
  for (int i = 0; i < nb; ++i) b[i] = static_cast<int>(scramble(i + na) % 4000);
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), expected.begin());
  Buffer<int> d_a(a), d_b(b), out(na + nb);
  merge<<<blocks_for(na + nb, 128 * part), 128>>>(d_a, na, d_b, nb, out);
  return out.host() == expected;
}
