// SPDX-License-Identifier: MIT
// A radix sort of keys with values, four bits at a time: counts of blocks, a scan of all, places within the block by
// ballots.
#include "gallery.h"

constexpr int block = 128, warps = block / 32;

__global__ void count(const unsigned* keys, int n, int shift, int* counts) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) atomicAdd(&bins[keys[i] >> shift & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) counts[threadIdx.x * gridDim.x + blockIdx.x] = bins[threadIdx.x];
}

__global__ void scan(int* counts, int n) {  // one block; each thread a piece
  __shared__ int sums[256];
  const int piece = (n + 255) / 256, begin = threadIdx.x * piece, end = min(begin + piece, n);
  int sum = 0;
  for (int i = begin; i < end; ++i) sum += counts[i];
  sums[threadIdx.x] = sum;
  __syncthreads();
  int before = 0;
  for (int t = 0; t < threadIdx.x; ++t) before += sums[t];
  for (int i = begin; i < end; ++i) {
    const int here = counts[i];
    counts[i] = before;
    before += here;
  }
}

__global__ void scatter(const unsigned* keys, const int* values, int n, int shift, const int* places,
                        unsigned* keys_out, int* values_out) {
  __shared__ int warp_counts[16][warps];
  const int i = blockIdx.x * block + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int digit = i < n ? keys[i] >> shift & 15 : 16;
  int mine = 0;
  for (int d = 0; d < 16; ++d) {
    const unsigned same = __ballot_sync(~0u, digit == d);
    if (lane == 0) warp_counts[d][warp] = __popc(same);
    if (digit == d) mine = __popc(same & ((1u << lane) - 1));
  }
  __syncthreads();
  if (i >= n) return;
  int place = places[digit * gridDim.x + blockIdx.x] + mine;
  for (int w = 0; w < warp; ++w) place += warp_counts[digit][w];
  keys_out[place] = keys[i];
  values_out[place] = values[i];
}

bool program() {
  constexpr int n = 5000, blocks = (n + block - 1) / block;
  std::vector<unsigned> keys(n);
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = scramble(i) % 50000;  // so that some come twice
    values[i] = i;
  }
  Buffer<unsigned> first_keys(keys), second_keys(n);
  Buffer<int> first_values(values), second_values(n), counts(16 * blocks);
  for (int shift = 0; shift < 16; shift += 4) {
    const bool odd = shift / 4 % 2 != 0;
    count<<<blocks, block>>>(odd ? second_keys : first_keys, n, shift, counts);
    scan<<<1, 256>>>(counts, 16 * blocks);
    scatter<<<blocks, block>>>(odd ? second_keys : first_keys, odd ? second_values : first_values, n, shift, counts,
                               odd ? first_keys : second_keys, odd ? first_values : second_values);
  }
  std::stable_sort(values.begin(), values.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  std::sort(keys.begin(), keys.end());
  return first_keys.host() == keys && first_values.host() == values;
}
