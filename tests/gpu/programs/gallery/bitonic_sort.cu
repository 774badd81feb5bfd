// SPDX-License-Identifier: MIT
// A bitonic sort of pairs in global memory: wide steps a launch each, narrow ones together in shared memory.
#include "gallery.h"

constexpr int tile = 512;  // elements a block sorts without another launch

template <class Key>
__device__ void exchange(Key& a, Key& b, bool up) {
  if ((a > b) != up) return;
  const Key kept = a;
  a = b;
  b = kept;
}

__global__ void wide_step(unsigned long long* data, int run, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, a = 2 * i - (i & (step - 1));
  exchange(data[a], data[a + step], (a & run) == 0);
}

__global__ void narrow_steps(unsigned long long* data, int first_run, int last_run) {
  __shared__ unsigned long long keys[tile];
  const int begin = blockIdx.x * tile, t = threadIdx.x;
  keys[t] = data[begin + t];
  keys[t + tile / 2] = data[begin + t + tile / 2];
  for (int run = first_run; run <= last_run; run *= 2) {
    for (int step = min(run, tile) / 2; step > 0; step /= 2) {
      __syncthreads();
      const int a = 2 * t - (t & (step - 1));
      exchange(keys[a], keys[a + step], ((begin + a) & run) == 0);
    }
  }
  __syncthreads();
  data[begin + t] = keys[t];
  data[begin + t + tile / 2] = keys[t + tile / 2];
}

bool program() {
  constexpr int n = 4096;
  std::vector<unsigned long long> data(n);
  for (int i = 0; i < n; ++i) data[i] = static_cast<unsigned long long>(scramble(i) % 997) << 32 | i;
  Buffer<unsigned long long> d_data(data);
  narrow_steps<<<n / tile, tile / 2>>>(d_data, 2, tile);
  for (int run = 2 * tile; run <= n; run *= 2) {
    for (int step = run / 2; step >= tile; step /= 2) wide_step<<<n / 512, 256>>>(d_data, run, step);
    narrow_steps<<<n / tile, tile / 2>>>(d_data, run, run);
  }
  std::sort(data.begin(), data.end());
  return d_data.host() == data;
}
