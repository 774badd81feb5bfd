// SPDX-License-Identifier: MIT
// Searches, histograms, and what is kept of many.
#include <cooperative_groups.h>

#include "ordinary.h"
#include "workbook/student/cuda_check.h"

namespace ordinary {
namespace {

__global__ void binary_search(const unsigned* table, const unsigned* queries, int* places, int n) {
  const unsigned query = queries[blockIdx.x * blockDim.x + threadIdx.x];
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (table[middle] < query)
      low = middle + 1;
    else
      high = middle;
  }
  places[blockIdx.x * blockDim.x + threadIdx.x] = low;
}

__global__ void binary_search_shared(const unsigned* table, const unsigned* queries, int* places) {
  __shared__ unsigned copy[1024];
  for (int i = threadIdx.x; i < 1024; i += blockDim.x) copy[i] = table[i];
  __syncthreads();
  const unsigned query = queries[blockIdx.x * blockDim.x + threadIdx.x];
  int place = 0;
  for (int step = 512; step > 0; step /= 2)
    if (copy[place + step - 1] < query) place += step;
  places[blockIdx.x * blockDim.x + threadIdx.x] = place;
}

__global__ void histogram_shared(const unsigned char* data, unsigned* histogram, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) atomicAdd(&bins[data[i]], 1u);
  __syncthreads();
  atomicAdd(&histogram[threadIdx.x], bins[threadIdx.x]);
}

__global__ void histogram_by_warp(const unsigned* data, unsigned* histogram, int n) {
  __shared__ unsigned bins[8][64];
  for (unsigned i = threadIdx.x; i < 8 * 64; i += blockDim.x) bins[i / 64][i % 64] = 0;
  __syncthreads();
  unsigned* mine = bins[threadIdx.x / 32];
  for (int i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += blockDim.x * gridDim.x) {
    const unsigned word = data[i];
    atomicAdd(mine + (word >> 2 & 0x3f), 1);
    atomicAdd(mine + (word >> 10 & 0x3f), 1);
  }
  __syncthreads();
  if (threadIdx.x < 64) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) sum += bins[w][threadIdx.x];
    atomicAdd(&histogram[threadIdx.x], sum);
  }
}

__global__ void histogram_global(const unsigned char* data, unsigned* histogram, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&histogram[data[i]], 1u);
}

__global__ void weighted_histogram(const unsigned* keys, const unsigned* weights, unsigned* out, int n) {
  __shared__ unsigned sums[128];
  if (threadIdx.x < 128) sums[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&sums[keys[i]], weights[i]);
  __syncthreads();
  if (threadIdx.x < 128) out[threadIdx.x] = sums[threadIdx.x];
}

__global__ void filter_aggregated(const unsigned* in, unsigned* out, unsigned* count, int n) {
  namespace cg = cooperative_groups;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] % 3 != 0) return;
  const auto active = cg::coalesced_threads();
  unsigned first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(count, active.size());
  out[active.shfl(first, 0) + active.thread_rank()] = in[i];
}

/// Kept in order within a block, by votes.
__global__ void compact(const unsigned* in, unsigned* out, unsigned* counts) {
  __shared__ unsigned of_warp[8];
  __shared__ unsigned total;
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32;
  const unsigned value = in[blockIdx.x * 256 + t];
  const bool keep = (value & 4) != 0;
  const unsigned votes = __ballot_sync(~0u, keep);
  if (lane == 0) of_warp[warp] = __popc(votes);
  __syncthreads();
  if (t == 0) {
    unsigned sum = 0;
    for (int w = 0; w < 8; ++w) {
      const unsigned count = of_warp[w];
      of_warp[w] = sum;
      sum += count;
    }
    total = sum;
  }
  __syncthreads();
  if (keep) out[blockIdx.x * 256 + of_warp[warp] + __popc(votes & ((1u << lane) - 1))] = value;
  if (t == 0) counts[blockIdx.x] = total;
}

/// Each thread asks whether the word stands at its place of the text.
__global__ void string_search(const unsigned char* text, const unsigned char* word, int length, int n, int* found) {
  __shared__ unsigned char pattern[32];
  if (threadIdx.x < length) pattern[threadIdx.x] = word[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + length > n) return;
  for (int k = 0; k < length; ++k)
    if (text[i + k] != pattern[k]) return;
  atomicAdd(found, 1);
}

/// Open addressing: a key's slot is taken by compare-and-swap, the keys are all different.
__global__ void hash_look_up(const unsigned* table, const unsigned* keys, unsigned* out, unsigned mask) {
  const unsigned key = keys[blockIdx.x * blockDim.x + threadIdx.x] + 1;
  unsigned slot = key * 2654435761u >> 20 & mask, probes = 0;
  while (table[slot] != key && table[slot] != 0 && probes < 8) {
    slot = (slot + 1) & mask;
    ++probes;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = table[slot] == key ? slot : ~0u;
}

}  // namespace

void searches() {
  int n = pick(4000, 1000000, 16000000);
  const unsigned* table = sorted(pick(4096, 1 << 20, 1 << 24));
  int blocks = pick(8, 8192);
  const unsigned* queries = words(256 * blocks, 7 * pick(4096, 1 << 20, 1 << 24));
  int* places = zeros<int>(256 * blocks);
  launch("binary search", [=] { binary_search<<<blocks, 256>>>(table, queries, places, n); });
  const unsigned* near = words(256 * blocks, 7 * 1024);
  launch("binary search shared", [=] { binary_search_shared<<<blocks, 256>>>(table, near, places); });
  n = pick(10000, 1 << 25, 1 << 22);
  blocks = pick(8, 1056);
  const unsigned char* data = bytes(n, 256);
  unsigned* bins = zeros<unsigned>(256);
  launch("histogram shared", [=] { histogram_shared<<<blocks, 256>>>(data, bins, n); });
  n = pick(5000, 1 << 23);
  blocks = pick(4, 528);
  const unsigned* wide = words(n, 1u << 31);
  launch("histogram a warp", [=] { histogram_by_warp<<<blocks, 256>>>(wide, bins, n); });
  n = pick(2000, 1 << 19, 1 << 17);
  const unsigned char* few = bytes(n, 16);
  launch("histogram global", [=] { histogram_global<<<(n + 255) / 256, 256>>>(few, bins, n); });
  n = pick(3000, 100000);
  const unsigned *keys = words(n, 128), *weights = words(n, 10);
  launch("histogram weighted", [=] { weighted_histogram<<<1, 256>>>(keys, weights, bins, n); });
  n = pick(2000, 1 << 22);
  const unsigned* in = words(n + 48, 1000);
  unsigned *out = zeros<unsigned>(n + 48), *count = zeros<unsigned>(1);
  launch(
      "filter aggregated", [=] { filter_aggregated<<<(n + 255) / 256, 256>>>(in, out, count, n); },
      [=] { CUDA_CHECK(cudaMemsetAsync(count, 0, sizeof(*count))); });
  blocks = pick(8, 1 << 14);
  unsigned* counts = zeros<unsigned>(blocks);
  launch("compact", [=] { compact<<<blocks, 256>>>(in, out, counts); });
  n = pick(2048, 1 << 22);
  const unsigned char *text = bytes(n, 2), *word = bytes(2048, 2) + 100;
  int* found = zeros<int>(1);
  launch("string search", [=] { string_search<<<n / 256, 256>>>(text, word, 6, n, found); });
  blocks = pick(8, 1 << 14);
  const unsigned *hashed = words(4096, 4096), *sought = words(256 * blocks, 4096);
  launch("hash look up", [=] { hash_look_up<<<blocks, 256>>>(hashed, sought, out, 4095); });
}

}  // namespace ordinary
