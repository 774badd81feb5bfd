// SPDX-License-Identifier: MIT
// Steps of sorts, and searches.
#include "unseen.h"
#include "workbook/student/cuda_check.h"

namespace unseen {
namespace {

/// One step of a bitonic sort of all keys, in global memory: 64 bits a key.
__global__ void bitonic_wide(unsigned long long* keys, int j, int k) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, low = 2 * t - (t & (j - 1)), high = low + j;
  const unsigned long long a = keys[low], b = keys[high];
  if ((a > b) == ((low & k) == 0)) {
    keys[low] = b;
    keys[high] = a;
  }
}

/// One step of Batcher's odd-even merge.
__global__ void odd_even_merge(unsigned* keys, int stride, int n) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, low = 2 * t - (t & (stride - 1)) + stride, high = low + stride;
  if (high >= n) return;
  const unsigned a = keys[low], b = keys[high];
  keys[low] = min(a, b);
  keys[high] = max(a, b);
}

/// Pairs of neighbours, the even ones or the odd ones: a step of the slowest parallel sort.
__global__ void swap_neighbours(int* keys, int odd, int n) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
  if (i + 1 >= n) return;
  if (keys[i] > keys[i + 1]) {
    const int old = keys[i];
    keys[i] = keys[i + 1];
    keys[i + 1] = old;
  }
}

/// Each thread sorts sixteen keys of its own by insertion.
__global__ void insertion_sorts(const unsigned* in, unsigned* out) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  unsigned keys[16];
  for (int i = 0; i < 16; ++i) {
    const unsigned key = in[i * all + t];
    int at = i;
    for (; at > 0 && keys[at - 1] > key; --at) keys[at] = keys[at - 1];
    keys[at] = key;
  }
  for (int i = 0; i < 16; ++i) out[i * all + t] = keys[i];
}

/// A warp sorts 32 keys by shuffles.
__global__ void sort_by_shuffles(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  float key = in[i];
  for (int k = 2; k <= 32; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      const float other = __shfl_xor_sync(0xffffffffu, key, j);
      const bool takes_less = ((lane & k) == 0) == ((lane & j) == 0);
      key = takes_less ? fminf(key, other) : fmaxf(key, other);
    }
  out[i] = key;
}

/// Counting sort of the digits of a block: how many of each digit, and a stable place by ballots.
__global__ void digit_ranks(const unsigned* in, unsigned short* ranks, unsigned* totals, int shift) {
  __shared__ unsigned counts[8][16];
  const int i = blockIdx.x * 256 + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const unsigned digit = in[i] >> shift & 15;
  unsigned same = 0xffffffffu;
  for (int bit = 0; bit < 4; ++bit) {
    const unsigned votes = __ballot_sync(0xffffffffu, digit >> bit & 1);
    same &= digit >> bit & 1 ? votes : ~votes;
  }
  if (lane < 16) counts[warp][lane] = 0;
  __syncwarp();
  const unsigned before = __popc(same & ((1u << lane) - 1));
  if (before == 0) counts[warp][digit] = __popc(same);
  __syncthreads();
  unsigned rank = before;
  for (int w = 0; w < warp; ++w) rank += counts[w][digit];
  ranks[i] = static_cast<unsigned short>(rank);
  if (threadIdx.x < 16) {
    unsigned total = 0;
    for (int w = 0; w < 8; ++w) total += counts[w][threadIdx.x];
    totals[threadIdx.x * gridDim.x + blockIdx.x] = total;
  }
}

/// Two sorted lists become one: each thread finds the places of its key in the other list.
__global__ void merge_by_search(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 2 * n) return;
  const bool of_a = i < n;
  const unsigned key = of_a ? a[i] : b[i - n];
  const unsigned* other = of_a ? b : a;
  int low = 0, high = n;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (other[middle] < key || (!of_a && other[middle] == key))
      low = middle + 1;
    else
      high = middle;
  }
  out[(of_a ? i : i - n) + low] = key;
}

/// The place of a real number among steps of equal width on average: interpolation, then a walk.
__global__ void interpolation_search(const unsigned* table, const unsigned* queries, int* out, int n, int entries) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = queries[i];
  int at = static_cast<int>(static_cast<float>(key) / table[entries - 1] * (entries - 1));
  at = min(max(at, 0), entries - 1);
  while (at > 0 && table[at] >= key) --at;
  while (at < entries - 1 && table[at] < key) ++at;
  out[i] = at;
}

/// The nearest of many points, with tiles of 128 in shared memory.
__global__ void nearest_point(const float4* queries, const float4* points, int* out, int n) {
  __shared__ float4 tile[128];
  const float4 q = queries[blockIdx.x * 128 + threadIdx.x];
  float least = 1e30f;
  int best = -1;
  for (int first = 0; first < n; first += 128) {
    tile[threadIdx.x] = points[first + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 128; ++k) {
      const float dx = tile[k].x - q.x, dy = tile[k].y - q.y, dz = tile[k].z - q.z, d = dx * dx + dy * dy + dz * dz;
      if (d < least) {
        least = d;
        best = first + k;
      }
    }
    __syncthreads();
  }
  out[blockIdx.x * 128 + threadIdx.x] = best;
}

/// The nearest of 16 centres in 16 dimensions; the points lie by dimension.
__global__ void nearest_centre(const float* points, const float* centres, unsigned char* out, int n) {
  __shared__ float own[16][16];
  own[threadIdx.x / 16][threadIdx.x % 16] = centres[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float point[16], least = 1e30f;
  int best = 0;
#pragma unroll
  for (int k = 0; k < 16; ++k) point[k] = points[k * n + i];
  for (int centre = 0; centre < 16; ++centre) {
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += (point[k] - own[centre][k]) * (point[k] - own[centre][k]);
    if (sum < least) {
      least = sum;
      best = centre;
    }
  }
  out[i] = static_cast<unsigned char>(best);
}

}  // namespace

void sorting() {
  const unsigned* keys = words(pick(1 << 14, 1 << 23), 1u << 31);
  unsigned* out = zeros<unsigned>(pick(1 << 14, 1 << 23));
  const float* x = floats(pick(1 << 16, 1 << 23));
  const unsigned* unsorted = words(pick(1 << 13, 1 << 23), ~0u);
  const auto wide = zeros<unsigned long long>(pick(1 << 12, 1 << 22));
  int blocks = pick(4, 8192, 4096);
  const auto restore = [=] { CUDA_CHECK(cudaMemcpy(wide, unsorted, 4096ul * blocks, cudaMemcpyDeviceToDevice)); };
  launch(
      "bitonic wide far", [=] { bitonic_wide<<<blocks, 256>>>(wide, blocks * 128, blocks * 256); }, restore);
  launch(
      "bitonic wide near", [=] { bitonic_wide<<<blocks, 256>>>(wide, 2, 4); }, restore);
  int n = pick(2048, 1 << 22);
  launch("odd even merge", [=] { odd_even_merge<<<n / 512, 256>>>(out, 16, n); });
  n = pick(3000, 7000000);
  launch(
      "swap neighbours", [=] { swap_neighbours<<<blocks_of(n / 2), kBlock>>>(reinterpret_cast<int*>(out), 1, n); },
      [=] { CUDA_CHECK(cudaMemcpy(out, keys, n * sizeof(int), cudaMemcpyDeviceToDevice)); });
  blocks = pick(4, 2000);
  launch("insertion sorts", [=] { insertion_sorts<<<blocks, 128>>>(keys, out); });
  blocks = pick(4, 12000);
  launch("sort by shuffles", [=] { sort_by_shuffles<<<blocks, 256>>>(x, reinterpret_cast<float*>(out)); });
  blocks = pick(4, 10000, 32000);
  const auto ranks = zeros<unsigned short>(256 * blocks);
  launch("digit ranks", [=] { digit_ranks<<<blocks, 256>>>(keys, ranks, out, 8); });
  n = pick(900, 700000);
  const unsigned *a = sorted(n), *b = sorted(n);
  launch("merge by search", [=] { merge_by_search<<<blocks_of(2 * n), kBlock>>>(a, b, out, n); });
  n = pick(900, 1000000);
  const int entries = pick(500, 500000);
  const unsigned *table = sorted(entries), *queries = words(n, 7 * entries);
  launch("interpolation search", [=] {
    interpolation_search<<<blocks_of(n), kBlock>>>(table, queries, reinterpret_cast<int*>(out), n, entries);
  });
  blocks = pick(4, 264, 100);
  n = pick(256, 1024);
  const auto x4 = reinterpret_cast<const float4*>(x);
  launch("nearest point", [=] { nearest_point<<<blocks, 128>>>(x4, x4 + 2048, reinterpret_cast<int*>(out), n); });
  n = pick(900, 500000);
  launch("nearest centre",
         [=] { nearest_centre<<<blocks_of(n), 256>>>(x, x, reinterpret_cast<unsigned char*>(out), n); });
}

}  // namespace unseen
