// SPDX-License-Identifier: MIT
// Segments of different lengths, each sorted by one block, bitonic and in shared memory of the launch's size.
#include "gallery.h"

__global__ void sort_segments(unsigned* data, const int* offsets) {
  extern __shared__ unsigned keys[];
  const int begin = offsets[blockIdx.x], n = offsets[blockIdx.x + 1] - begin;
  int size = 1;
  while (size < n) size *= 2;
  for (int i = threadIdx.x; i < size; i += blockDim.x) keys[i] = i < n ? data[begin + i] : ~0u;
  for (int run = 2; run <= size; run *= 2) {
    for (int step = run / 2; step > 0; step /= 2) {
      __syncthreads();
      for (int i = threadIdx.x; i < size / 2; i += blockDim.x) {
        const int a = 2 * i - (i & (step - 1)), b = a + step;
        const bool up = (a & run) == 0;
        if ((keys[a] > keys[b]) == up) {
          const unsigned kept = keys[a];
          keys[a] = keys[b];
          keys[b] = kept;
        }
      }
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) data[begin + i] = keys[i];
}

bool program() {
  constexpr int segments = 40, longest = 512;
  std::vector<int> offsets(segments + 1, 0);
  for (int s = 0; s < segments; ++s) offsets[s + 1] = offsets[s] + static_cast<int>(scramble(s) % (longest + 1));
  std::vector<unsigned> data(offsets.back());
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = scramble(static_cast<unsigned>(i) + 77);
  Buffer<unsigned> d_data(data);
  Buffer<int> d_offsets(offsets);
  sort_segments<<<segments, 128, longest * sizeof(unsigned)>>>(d_data, d_offsets);
  for (int s = 0; s < segments; ++s) std::sort(data.begin() + offsets[s], data.begin() + offsets[s + 1]);
  return d_data.host() == data;
}
