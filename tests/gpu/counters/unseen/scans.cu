// SPDX-License-Identifier: MIT
// Prefix sums and histograms.
#include "unseen.h"

namespace unseen {
namespace {

__device__ unsigned warp_scan(unsigned value) {
  for (int offset = 1; offset < 32; offset *= 2) {
    const unsigned other = __shfl_up_sync(0xffffffffu, value, offset);
    if (threadIdx.x % 32 >= offset) value += other;
  }
  return value;
}

/// First of three kernels: each block's own sums, and its total.
__global__ void scan_blocks(const uint4* in, uint4* out, unsigned* totals) {
  __shared__ unsigned part[8];
  const int i = blockIdx.x * 256 + threadIdx.x, warp = threadIdx.x / 32;
  uint4 v = in[i];
  v.y += v.x;
  v.z += v.y;
  v.w += v.z;
  const unsigned scanned = warp_scan(v.w);
  if (threadIdx.x % 32 == 31) part[warp] = scanned;
  __syncthreads();
  unsigned before = scanned - v.w;
  for (int w = 0; w < warp; ++w) before += part[w];
  out[i] = make_uint4(v.x + before, v.y + before, v.z + before, v.w + before);
  if (threadIdx.x == 255) totals[blockIdx.x] = v.w + before;
}

/// Second: one block scans the totals, 1024 at a time.
__global__ void scan_totals(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned part[32];
  unsigned carry = 0;
  for (int first = 0; first < n; first += 1024) {
    const int i = first + threadIdx.x;
    const unsigned own = i < n ? in[i] : 0, scanned = warp_scan(own);
    if (threadIdx.x % 32 == 31) part[threadIdx.x / 32] = scanned;
    __syncthreads();
    if (threadIdx.x < 32) part[threadIdx.x] = warp_scan(part[threadIdx.x]);
    __syncthreads();
    const unsigned before = threadIdx.x < 32 ? 0 : part[threadIdx.x / 32 - 1];
    if (i < n) out[i] = carry + before + scanned - own;
    carry += part[31];
    __syncthreads();
  }
}

/// Third: the blocks' totals are added.
__global__ void add_totals(uint4* values, const unsigned* totals) {
  const unsigned before = totals[blockIdx.x];
  uint4 v = values[blockIdx.x * 256 + threadIdx.x];
  values[blockIdx.x * 256 + threadIdx.x] = make_uint4(v.x + before, v.y + before, v.z + before, v.w + before);
}

/// Each thread has a run of its own, as a beginner writes it.
__global__ void scan_by_thread(const float* in, float* out, int length) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * length;
  float sum = 0.0f;
  for (int i = first; i < first + length; ++i) {
    sum += in[i];
    out[i] = sum;
  }
}

/// A scan of each column of an image, as for a table of sums.
__global__ void scan_columns(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= width) return;
  float sum = 0.0f;
  for (int y = 0; y < height; ++y) {
    sum += in[y * width + x];
    out[y * width + x] = sum;
  }
}

__global__ void bins_global(const unsigned* keys, unsigned* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[keys[i]], 1u);
}

/// Sixteen bytes a thread, 256 bins a block.
__global__ void byte_histogram(const uint4* text, unsigned* bins, int n) {
  __shared__ unsigned own[256];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const uint4 four = text[i];
    const unsigned all[4] = {four.x, four.y, four.z, four.w};
#pragma unroll
    for (int k = 0; k < 16; ++k) atomicAdd(&own[all[k / 4] >> 8 * (k % 4) & 255], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

/// Real numbers in 2048 bins, with a division for the bin.
__global__ void bins_of_floats(const float* in, int* bins, int n, float low, float width) {
  __shared__ int own[2048];
  for (int i = threadIdx.x; i < 2048; i += blockDim.x) own[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[min(2047, static_cast<int>((in[i] * in[i] - low) / width))], 1);
  __syncthreads();
  for (int i = threadIdx.x; i < 2048; i += blockDim.x)
    if (own[i] != 0) atomicAdd(&bins[i], own[i]);
}

}  // namespace

void scans() {
  int blocks = pick(4, 6000, 20000);
  const auto numbers = reinterpret_cast<const uint4*>(words(1024 * blocks, 100));
  uint4* sums = zeros<uint4>(256 * blocks);
  unsigned *totals = zeros<unsigned>(blocks), *scanned = zeros<unsigned>(pick(4, 50000));
  launch("scan blocks", [=] { scan_blocks<<<blocks, 256>>>(numbers, sums, totals); });
  int n = pick(3000, 50000);
  const unsigned* longer = words(n, 1000);
  unsigned* offsets = zeros<unsigned>(n);
  launch("scan totals", [=] { scan_totals<<<1, 1024>>>(longer, offsets, n); });
  launch("add totals", [=] { add_totals<<<blocks, 256>>>(sums, scanned); });
  const float* x = floats(pick(1 << 15, 1 << 23));
  float* y = zeros<float>(pick(1 << 15, 1 << 23));
  n = pick(20, 50);
  blocks = pick(4, 512);
  launch("scan by thread", [=] { scan_by_thread<<<blocks, 128>>>(x, y, n); });
  const int width = pick(100, 3000), height = pick(60, 2000);
  launch("scan columns", [=] { scan_columns<<<blocks_of(width, 64), 64>>>(x, y, width, height); });
  n = pick(3000, 1 << 22);
  const int range = pick(1000, 1 << 16);
  unsigned* bins = zeros<unsigned>(1 << 16);
  const unsigned* keys = words(n, range);
  launch("bins global", [=] { bins_global<<<blocks_of(n), kBlock>>>(keys, bins, n); });
  n = pick(3000, 1 << 21);
  const unsigned* few = words(n, 5);
  launch("bins global skewed", [=] { bins_global<<<blocks_of(n), kBlock>>>(few, bins, n); });
  n = pick(1000, 1 << 20);
  blocks = pick(2, 396);
  const auto text = reinterpret_cast<const uint4*>(bytes(16 * n, 256));
  launch("byte histogram", [=] { byte_histogram<<<blocks, 256>>>(text, bins, n); });
  n = pick(1000, 1 << 19);
  const auto narrow = reinterpret_cast<const uint4*>(bytes(16 * n, 4));
  launch("byte histogram skewed", [=] { byte_histogram<<<blocks, 256>>>(narrow, bins, n); });
  n = pick(3000, 1 << 23);
  blocks = pick(2, 264);
  const auto counts = reinterpret_cast<int*>(bins);
  launch("bins of floats", [=] { bins_of_floats<<<blocks, 512>>>(x, counts, n, 0.0f, 1.0f / 2048); });
}

}  // namespace unseen
