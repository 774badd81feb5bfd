// SPDX-License-Identifier: MIT
// Stream compaction that keeps the order: blocks count, one block scans the counts, ballots give each element its
// place.
#include "gallery.h"

constexpr int block = 256;

__device__ bool is_wanted(int value) { return value % 3 == 0; }

__global__ void count(const int* in, int n, int* counts) {
  const int i = blockIdx.x * block + threadIdx.x;
  const int found = __syncthreads_count(i < n && is_wanted(in[i]));
  if (threadIdx.x == 0) counts[blockIdx.x] = found;
}

__global__ void scan(int* counts, int n, int* total) {
  __shared__ int sums[block];
  const int mine = threadIdx.x < n ? counts[threadIdx.x] : 0;
  sums[threadIdx.x] = mine;
  __syncthreads();
  for (int step = 1; step < block; step *= 2) {
    const int left = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += left;
    __syncthreads();
  }
  if (threadIdx.x < n) counts[threadIdx.x] = sums[threadIdx.x] - mine;
  if (threadIdx.x == block - 1) *total = sums[block - 1];
}

__global__ void scatter(const int* in, int n, const int* offsets, int* out) {
  __shared__ int warps[block / 32];
  const int i = blockIdx.x * block + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int value = i < n ? in[i] : 1;
  const unsigned wanted = __ballot_sync(~0u, is_wanted(value));
  if (lane == 0) warps[warp] = __popc(wanted);
  __syncthreads();
  int place = offsets[blockIdx.x] + __popc(wanted & ((1u << lane) - 1));
  for (int w = 0; w < warp; ++w) place += warps[w];
  if (is_wanted(value)) out[place] = value;
}

bool program() {
  constexpr int n = 40001, blocks = (n + block - 1) / block;
  std::vector<int> in(n), expected;
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(scramble(i) % 1000);
    if (in[i] % 3 == 0) expected.push_back(in[i]);
  }
  Buffer<int> d_in(in), counts(blocks), total(1), out(n);
  count<<<blocks, block>>>(d_in, n, counts);
  scan<<<1, block>>>(counts, blocks, total);
  scatter<<<blocks, block>>>(d_in, n, counts, out);
  std::vector<int> got(total.host()[0]);
  checkCudaErrors(cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
  return got == expected;
}
