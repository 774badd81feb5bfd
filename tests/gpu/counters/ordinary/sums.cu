// SPDX-License-Identifier: MIT
// Reductions, scans, and what is normalised by a sum.
#include "ordinary.h"

namespace ordinary {
namespace {

constexpr int block = 256;

__global__ void reduce_interleaved(const float* in, float* out) {
  __shared__ float part[block];
  const unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * block + t];
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    const unsigned i = 2 * s * t;
    if (i < blockDim.x) part[i] += part[i + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

__global__ void reduce_sequential(const float* in, float* out) {
  extern __shared__ float dynamic[];
  const unsigned t = threadIdx.x, i = blockIdx.x * block * 2 + t;
  dynamic[t] = in[i] + in[i + block];
  __syncthreads();
  for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
    if (t < s) dynamic[t] += dynamic[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = dynamic[0];
}

__device__ void last_warp(volatile float* part, unsigned t) {
  float sum = part[t];
  for (int s = 32; s > 0; s /= 2) {
    sum += part[t + s];
    __syncwarp();
    part[t] = sum;
    __syncwarp();
  }
}

template <unsigned size>
__global__ void reduce_unrolled(const float* in, float* out, unsigned n) {
  __shared__ float part[size + 32];
  const unsigned t = threadIdx.x;
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * size * 2 + t; i < n; i += gridDim.x * size * 2) sum += in[i] + in[i + size];
  part[t] = sum;
  __syncthreads();
  if (size >= 256) {
    if (t < 128) part[t] += part[t + 128];
    __syncthreads();
  }
  if (size >= 128) {
    if (t < 64) part[t] += part[t + 64];
    __syncthreads();
  }
  if (t < 32) last_warp(part, t);
  if (t == 0) out[blockIdx.x] = part[0];
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset >>= 1) value += __shfl_xor_sync(~0u, value, offset);
  return value;
}

/// Sum of a block, for all of its threads.
__device__ float block_sum(float value) {
  __shared__ float of_warp[32];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_sum(value);
  __syncthreads();
  if (lane == 0) of_warp[warp] = value;
  __syncthreads();
  value = lane < blockDim.x / 32 ? of_warp[lane] : 0.0f;
  return warp_sum(value);
}

__global__ void reduce_shuffle(const float* in, float* out, unsigned n) {
  float sum = 0.0f;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(out, sum);
}

__global__ void dot_product(const float* a, const float* b, float* out, int n) {
  __shared__ float cache[block];
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  float sum = 0;
  while (i < n) {
    sum += a[i] * b[i];
    i += blockDim.x * gridDim.x;
  }
  cache[threadIdx.x] = sum;
  __syncthreads();
  int half = blockDim.x / 2;
  while (half != 0) {
    if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
    __syncthreads();
    half /= 2;
  }
  if (threadIdx.x == 0) out[blockIdx.x] = cache[0];
}

/// The largest number and its place.
__global__ void arg_max(const float* in, float* value_out, int* place_out) {
  __shared__ float value[block];
  __shared__ int place[block];
  const int t = threadIdx.x, i = blockIdx.x * block + t;
  value[t] = in[i];
  place[t] = i;
  __syncthreads();
  for (int s = block / 2; s > 0; s >>= 1) {
    if (t < s && value[t + s] > value[t]) {
      value[t] = value[t + s];
      place[t] = place[t + s];
    }
    __syncthreads();
  }
  if (t == 0) {
    value_out[blockIdx.x] = value[0];
    place_out[blockIdx.x] = place[0];
  }
}

__global__ void scan_hillis_steele(const float* in, float* out) {
  __shared__ float s[block];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * block + t];
  __syncthreads();
  for (int d = 1; d < block; d *= 2) {
    const float other = t >= d ? s[t - d] : 0.0f;
    __syncthreads();
    s[t] += other;
    __syncthreads();
  }
  out[blockIdx.x * block + t] = s[t];
}

__global__ void scan_double_buffer(const float* in, float* out, int n) {
  extern __shared__ float two[];
  const int t = threadIdx.x;
  in += blockIdx.x * n;
  out += blockIdx.x * n;
  int now = 0, before = 1;
  two[t] = t > 0 ? in[t - 1] : 0;
  __syncthreads();
  for (int offset = 1; offset < n; offset *= 2) {
    now = 1 - now;
    before = 1 - now;
    if (t >= offset)
      two[now * n + t] = two[before * n + t] + two[before * n + t - offset];
    else
      two[now * n + t] = two[before * n + t];
    __syncthreads();
  }
  out[t] = two[now * n + t];
}

__global__ void scan_blelloch(const float* in, float* out, int n) {
  extern __shared__ float tree[];
  const int t = threadIdx.x;
  in += blockIdx.x * n;
  out += blockIdx.x * n;
  int offset = 1;
  tree[2 * t] = in[2 * t];
  tree[2 * t + 1] = in[2 * t + 1];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      tree[b] += tree[a];
    }
    offset *= 2;
  }
  if (t == 0) tree[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      const float left = tree[a];
      tree[a] = tree[b];
      tree[b] += left;
    }
  }
  __syncthreads();
  out[2 * t] = tree[2 * t];
  out[2 * t + 1] = tree[2 * t + 1];
}

__global__ void scan_shuffle(const unsigned* in, unsigned* out) {
  __shared__ unsigned of_warp[block / 32];
  const unsigned i = blockIdx.x * block + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned sum = in[i];
  for (unsigned d = 1; d < 32; d *= 2) {
    const unsigned left = __shfl_up_sync(~0u, sum, d);
    if (lane >= d) sum += left;
  }
  if (lane == 31) of_warp[warp] = sum;
  __syncthreads();
  for (unsigned w = 0; w < warp; ++w) sum += of_warp[w];
  out[i] = sum;
}

__global__ void softmax_rows(const float* in, float* out, int columns) {
  __shared__ float shared_max[block];
  const float* row = in + blockIdx.x * columns;
  float largest = -1e30f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) largest = fmaxf(largest, row[i]);
  shared_max[threadIdx.x] = largest;
  __syncthreads();
  for (int s = blockDim.x / 2; s >= 1; s /= 2) {
    if (threadIdx.x < s) shared_max[threadIdx.x] = fmaxf(shared_max[threadIdx.x], shared_max[threadIdx.x + s]);
    __syncthreads();
  }
  largest = shared_max[0];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - largest);
  sum = block_sum(sum);
  for (int i = threadIdx.x; i < columns; i += blockDim.x) out[blockIdx.x * columns + i] = expf(row[i] - largest) / sum;
}

__global__ void layer_norm(const float4* in, const float4* weight, const float4* bias, float4* out, int columns) {
  const float4* row = in + blockIdx.x * (columns / 4);
  float sum = 0.0f, squares = 0.0f;
  for (int i = threadIdx.x; i < columns / 4; i += blockDim.x) {
    const float4 x = row[i];
    sum += x.x + x.y + x.z + x.w;
    squares += x.x * x.x + x.y * x.y + x.z * x.z + x.w * x.w;
  }
  const float mean = block_sum(sum) / columns;
  const float scale = rsqrtf(block_sum(squares) / columns - mean * mean + 1e-5f);
  for (int i = threadIdx.x; i < columns / 4; i += blockDim.x) {
    const float4 x = row[i], w = weight[i], b = bias[i];
    out[blockIdx.x * (columns / 4) + i] =
        make_float4((x.x - mean) * scale * w.x + b.x, (x.y - mean) * scale * w.y + b.y,
                    (x.z - mean) * scale * w.z + b.z, (x.w - mean) * scale * w.w + b.w);
  }
}

}  // namespace

void sums() {
  const int most = pick(1 << 14, 1 << 25);
  const float* in = floats(most);
  float* out = zeros<float>(most);
  int blocks = pick(8, 1 << 15);
  launch("reduce interleaved", [=] { reduce_interleaved<<<blocks, block>>>(in, out); });
  launch("reduce sequential", [=] { reduce_sequential<<<blocks, block, block * sizeof(float)>>>(in, out); });
  blocks = pick(8, 1056, 1056);
  int n = pick(1 << 14, 1 << 25, 1 << 22);
  launch("reduce unrolled", [=] { reduce_unrolled<256><<<blocks, 256>>>(in, out, n); });
  n = pick((1 << 14) - 100, (1 << 25) - 100, (1 << 22) - 100);
  launch("reduce shuffle", [=] { reduce_shuffle<<<blocks, block>>>(in, out, n); });
  blocks = pick(8, 512, 264);
  n = pick(12000, 16000000, 4000000);
  const float* second = in + pick(4096, 1 << 24);
  launch("dot product", [=] { dot_product<<<blocks, block>>>(in, second, out, n); });
  blocks = pick(8, 1 << 15);
  int* places = zeros<int>(blocks);
  launch("arg max", [=] { arg_max<<<blocks, block>>>(in, out, places); });
  launch("scan hillis steele", [=] { scan_hillis_steele<<<blocks, block>>>(in, out); });
  blocks = pick(1, 8192);
  launch("scan double buffer", [=] { scan_double_buffer<<<blocks, 512, 2 * 512 * sizeof(float)>>>(in, out, 512); });
  launch("scan blelloch", [=] { scan_blelloch<<<blocks, 512, 1024 * sizeof(float)>>>(in, out, 1024); });
  blocks = pick(8, 1 << 15);
  const unsigned* numbers = words(blocks * block, 100);
  unsigned* sums_of = zeros<unsigned>(blocks * block);
  launch("scan shuffle", [=] { scan_shuffle<<<blocks, block>>>(numbers, sums_of); });
  blocks = pick(8, 8192, 512);
  n = pick(1000, 3000);
  launch("softmax", [=] { softmax_rows<<<blocks, block>>>(in, out, n); });
  blocks = pick(8, 16384, 4096);
  const auto four = reinterpret_cast<const float4*>(in);
  const auto out4 = reinterpret_cast<float4*>(out);
  launch("layer norm", [=] { layer_norm<<<blocks, 128>>>(four, four, four + 256, out4, 768); });
}

}  // namespace ordinary
