// SPDX-License-Identifier: MIT
// The k greatest elements with their places: each round the greatest 64-bit key below the last one, by atomicMax.
#include "gallery.h"

__device__ unsigned long long key_of(float value, int i) {
  const unsigned bits = __float_as_uint(value);  // ordered as numbers: the values are not negative
  return static_cast<unsigned long long>(bits) << 32 | static_cast<unsigned>(~i);
}

__global__ void top(const float* in, int n, int k, int* places) {
  __shared__ unsigned long long greatest;
  const float* row = in + blockIdx.x * n;
  unsigned long long last = ~0ull;
  for (int round = 0; round < k; ++round) {
    if (threadIdx.x == 0) greatest = 0;
    __syncthreads();
    unsigned long long mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      const unsigned long long key = key_of(row[i], i);
      if (key < last) mine = max(mine, key);
    }
    atomicMax(&greatest, mine);
    __syncthreads();
    last = greatest;
    if (threadIdx.x == 0) places[blockIdx.x * k + round] = static_cast<int>(~static_cast<unsigned>(last));
    __syncthreads();
  }
}

bool program() {
  constexpr int rows = 6, n = 500, k = 8;
  std::vector<float> in(rows * n);
  for (int i = 0; i < rows * n; ++i) in[i] = static_cast<float>(scramble(i) % 200);  // many are equal
  Buffer<float> d_in(in);
  Buffer<int> places(rows * k);
  top<<<rows, 128>>>(d_in, n, k, places);
  std::vector<int> expected;
  for (int row = 0; row < rows; ++row) {
    std::vector<int> order(n);
    for (int i = 0; i < n; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return in[row * n + a] > in[row * n + b]; });
    expected.insert(expected.end(), order.begin(), order.begin() + k);
  }
  return places.host() == expected;
}
