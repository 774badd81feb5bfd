// SPDX-License-Identifier: MIT
// Sorts of a block, and steps of larger ones.
#include "ordinary.h"
#include "workbook/student/cuda_check.h"

namespace ordinary {
namespace {

__device__ void order(unsigned& a, unsigned& b, bool ascending) {
  if ((a > b) == ascending) {
    const unsigned other = a;
    a = b;
    b = other;
  }
}

template <unsigned size>
__global__ void bitonic_block(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[size];
  for (unsigned i = threadIdx.x; i < size; i += blockDim.x) keys[i] = in[blockIdx.x * size + i];
  for (unsigned length = 2; length <= size; length <<= 1) {
    for (unsigned stride = length / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      const unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      order(keys[at], keys[at + stride], (at & length) == 0);
    }
  }
  __syncthreads();
  for (unsigned i = threadIdx.x; i < size; i += blockDim.x) out[blockIdx.x * size + i] = keys[i];
}

/// One step of a sort of the whole array in global memory.
__global__ void bitonic_step(float* values, int j, int k) {
  const unsigned i = threadIdx.x + blockDim.x * blockIdx.x, other = i ^ j;
  if (other > i) {
    if ((i & k) == 0 && values[i] > values[other]) {
      const float temp = values[i];
      values[i] = values[other];
      values[other] = temp;
    }
    if ((i & k) != 0 && values[i] < values[other]) {
      const float temp = values[i];
      values[i] = values[other];
      values[other] = temp;
    }
  }
}

__global__ void odd_even_transposition(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned keys[256];
  const int t = threadIdx.x;
  in += blockIdx.x * 256;
  out += blockIdx.x * 256;
  keys[t] = in[t];
  __syncthreads();
  for (int round = 0; round < n; ++round) {
    const int at = 2 * t + (round & 1);
    if (at + 1 < n && keys[at] > keys[at + 1]) {
      const unsigned other = keys[at];
      keys[at] = keys[at + 1];
      keys[at + 1] = other;
    }
    __syncthreads();
  }
  out[t] = keys[t];
}

/// How many keys are smaller is a key's place.
__global__ void rank_sort(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[256];
  const int t = threadIdx.x;
  const unsigned key = in[blockIdx.x * 256 + t];
  keys[t] = key;
  __syncthreads();
  int rank = 0;
  for (int i = 0; i < 256; ++i) rank += keys[i] < key || (keys[i] == key && i < t);
  out[blockIdx.x * 256 + rank] = key;
}

/// Counts of 4-bit digits, a thread's in 16-bit counters; then the sums over the threads.
__global__ void radix_count(const unsigned* in, unsigned* out, int shift) {
  __shared__ unsigned short counters[16][128];
  const int t = threadIdx.x;
  for (int d = 0; d < 16; ++d) counters[d][t] = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned digit = in[blockIdx.x * 512 + i * 128 + t] >> shift & 15;
    ++counters[digit][t];
  }
  __syncthreads();
  if (t < 16) {
    unsigned sum = 0;
    for (int i = 0; i < 128; ++i) sum += counters[t][i];
    out[blockIdx.x * 16 + t] = sum;
  }
}

/// A stable pass over one bit: a scan of the zeros says where each key goes.
__global__ void radix_split(const unsigned* in, unsigned* out, int bit) {
  __shared__ unsigned keys[256], zeros_before[256];
  const int t = threadIdx.x;
  const unsigned key = in[blockIdx.x * 256 + t], one = key >> bit & 1;
  zeros_before[t] = 1 - one;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    unsigned add = 0;
    if (t >= d) add = zeros_before[t - d];
    __syncthreads();
    zeros_before[t] += add;
    __syncthreads();
  }
  const unsigned all_zeros = zeros_before[255], before = zeros_before[t] - (1 - one);
  keys[one ? all_zeros + t - before : before] = key;
  __syncthreads();
  out[blockIdx.x * 256 + t] = keys[t];
}

/// Two sorted halves of 128 keys, merged by binary searches of each key in the other half.
__global__ void merge_halves(const unsigned* in, unsigned* out) {
  __shared__ unsigned keys[256];
  const int t = threadIdx.x, half = t / 128, mine = t % 128;
  in += blockIdx.x * 1024;
  out += blockIdx.x * 256;
  keys[t] = in[half * 512 + mine];
  __syncthreads();
  const unsigned* others = keys + (1 - half) * 128;
  int low = 0, high = 128;
  while (low < high) {
    const int middle = (low + high) >> 1;
    if (half == 0 ? others[middle] < keys[t] : others[middle] <= keys[t])
      low = middle + 1;
    else
      high = middle;
  }
  out[mine + low] = keys[t];
}

}  // namespace

void sorts() {
  const unsigned* keys = words(pick(4096, 1 << 23), 1u << 31);
  unsigned* out = zeros<unsigned>(pick(4096, 1 << 23));
  int blocks = pick(4, 2048);
  launch("bitonic block", [=] { bitonic_block<1024><<<blocks, 512>>>(keys, out); });
  const int n = pick(2048, 1 << 23, 1 << 20);
  const float* unsorted = floats(n);
  float* values = zeros<float>(n);
  const auto restore = [=] { CUDA_CHECK(cudaMemcpyAsync(values, unsorted, 4ul * n, cudaMemcpyDeviceToDevice)); };
  restore();
  const int stride = pick(64, 4096), length = 4 * stride;
  launch(
      "bitonic step", [=] { bitonic_step<<<n / 256, 256>>>(values, stride, length); }, restore);
  blocks = pick(1, 1024);
  launch("odd even transposition", [=] { odd_even_transposition<<<blocks, 256>>>(keys, out, 256); });
  blocks = pick(4, 2048);
  launch("rank sort", [=] { rank_sort<<<blocks, 256>>>(keys, out); });
  blocks = pick(8, 1 << 14);
  launch("radix count", [=] { radix_count<<<blocks, 128>>>(keys, out, 4); });
  blocks = pick(4, 1 << 14);
  launch("radix split", [=] { radix_split<<<blocks, 256>>>(keys, out, 3); });
  blocks = pick(1, 8192);
  const unsigned* ascending = sorted(1024 * blocks);
  launch("merge halves", [=] { merge_halves<<<blocks, 256>>>(ascending, out); });
}

}  // namespace ordinary
