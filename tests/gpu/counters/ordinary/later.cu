// SPDX-License-Identifier: MIT
// Kernels that were written when all rules were there, to judge them once more.
#include "ordinary.h"

namespace ordinary {
namespace {

/// Any sizes: what lies outside is zero. Tiles of 16 x 8 and 8 x 16.
__global__ void matmul_any(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[16][8];
  __shared__ float bs[8][16];
  const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0.0f;
  for (int first = 0; first < k; first += 8) {
    if (tx < 8) as[ty][tx] = row < m && first + tx < k ? a[row * k + first + tx] : 0.0f;
    if (ty < 8) bs[ty][tx] = first + ty < k && column < n ? b[(first + ty) * n + column] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 8; ++i) sum += as[ty][i] * bs[i][tx];
    __syncthreads();
  }
  if (row < m && column < n) c[row * n + column] = sum;
}

/// Both tiles lie with k in their rows: two wide loads.
__global__ void matmul_transposed(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][20], bs[16][20];
  const int tx = threadIdx.x, ty = threadIdx.y;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 16) {
    as[ty][tx] = a[(blockIdx.y * 16 + ty) * n + first + tx];
    bs[ty][tx] = b[(blockIdx.x * 16 + ty) * n + first + tx];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum = fmaf(as[ty][i], bs[tx][i], sum);
    __syncthreads();
  }
  c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

/// A block of 32 x 8: sums of columns.
__global__ void column_sums(const float* in, float* out, int rows, int columns) {
  __shared__ float part[8][33];
  const int x = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int y = threadIdx.y; y < rows; y += 8) sum += in[y * columns + x];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  for (int s = 4; s > 0; s /= 2) {
    if (threadIdx.y < s) part[threadIdx.y][threadIdx.x] += part[threadIdx.y + s][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0) out[x] = part[0][threadIdx.x];
}

__device__ int padded(int i) { return i + (i >> 5); }

/// Work-efficient scan, with padding against conflicts.
__global__ void scan_padded(const int* in, int* out) {
  __shared__ int s[512 + 16];
  const int t = threadIdx.x;
  in += blockIdx.x * 512;
  out += blockIdx.x * 512;
  s[padded(t)] = in[t];
  s[padded(t + 256)] = in[t + 256];
  int offset = 1;
  for (int d = 256; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[padded(offset * (2 * t + 2) - 1)] += s[padded(offset * (2 * t + 1) - 1)];
    offset <<= 1;
  }
  __syncthreads();
  if (t == 0) s[padded(511)] = 0;
  for (int d = 1; d < 512; d <<= 1) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = padded(offset * (2 * t + 1) - 1), b = padded(offset * (2 * t + 2) - 1);
      const int old = s[a];
      s[a] = s[b];
      s[b] += old;
    }
  }
  __syncthreads();
  out[t] = s[padded(t)];
  out[t + 256] = s[padded(t + 256)];
}

/// Minimum and maximum at once, in structs of shared memory.
__global__ void extent(const float* in, float2* out) {
  __shared__ float2 part[256];
  const int t = threadIdx.x;
  const float x = in[blockIdx.x * 512 + t], y = in[blockIdx.x * 512 + 256 + t];
  part[t] = make_float2(fminf(x, y), fmaxf(x, y));
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (t < s) {
      const float2 other = part[t + s];
      part[t].x = fminf(part[t].x, other.x);
      part[t].y = fmaxf(part[t].y, other.y);
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

/// Red and black points take turns, in a tile with a rim.
__global__ void red_black(const float* in, float* out, int n, int sweeps) {
  __shared__ float u[18][18];
  const int tx = threadIdx.x, ty = threadIdx.y, at = (blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx;
  u[ty][tx] = in[at];
  __syncthreads();
  const bool inside = tx > 0 && tx < 17 && ty > 0 && ty < 17;
  for (int s = 0; s < sweeps; ++s) {
    if (inside && (tx + ty + s) % 2 == 0)
      u[ty][tx] += 0.4f * (u[ty][tx - 1] + u[ty][tx + 1] + u[ty - 1][tx] + u[ty + 1][tx] - 4.0f * u[ty][tx]);
    __syncthreads();
  }
  if (inside) out[at] = u[ty][tx];
}

/// A mean over a window that slides along a row, from a ring of eight in shared memory.
__global__ void sliding_mean(const float* in, float* out, int steps) {
  __shared__ float ring[64][8];
  const int t = threadIdx.x;
  for (int i = 0; i < 8; ++i) ring[t][i] = 0.0f;
  float sum = 0.0f;
  for (int i = 0; i < steps; ++i) {
    const float now = in[i * 64 + t];
    sum += now - ring[t][i & 7];
    ring[t][i & 7] = now;
    out[i * 64 + t] = 0.125f * sum;
  }
}

/// Values by a table of 64 neighbours and weights, two points each.
__global__ void interpolate(const float* table, const float* places, float* out, int n) {
  __shared__ float near[260];
  for (int i = threadIdx.x; i < 257; i += blockDim.x) near[i] = table[i];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = places[i] * 256.0f;
  const int at = static_cast<int>(x);
  const float part = x - at;
  out[i] = near[at] * (1.0f - part) + near[at + 1] * part;
}

/// Three neighbouring results of a polynomial's coefficients that all threads share.
__global__ void polynomial(const double* coefficients, const double* in, double* out, int n) {
  __shared__ double c[8];
  if (threadIdx.x < 8) c[threadIdx.x] = coefficients[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
  double sum = 0.0;
  for (int k = 7; k >= 0; --k) sum = sum * x + c[k];
  out[i] = sum;
}

/// Edit distances of two words, along the diagonals of a table.
__global__ void edit_distance(const unsigned char* a, const unsigned char* b, int* out) {
  __shared__ int diagonal[3][65];
  __shared__ unsigned char left[64], right[64];
  const int t = threadIdx.x;
  left[t] = a[blockIdx.x * 64 + t];
  right[t] = b[blockIdx.x * 64 + t];
  for (int d = 0; d < 3; ++d) diagonal[d][t] = diagonal[d][t + 1] = 0;
  __syncthreads();
  for (int d = 0; d < 127; ++d) {
    const int column = d - t;
    int best = 0;
    if (column >= 0 && column < 64) {
      const int match = left[t] == right[column] ? 0 : 1;
      best = min(diagonal[(d + 1) % 3][t] + match, min(diagonal[(d + 2) % 3][t], diagonal[(d + 2) % 3][t + 1]) + 1);
    }
    __syncthreads();
    diagonal[d % 3][t + 1] = best;
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = diagonal[0][t + 1];
}

/// Two bins of 16 bits in a word.
__global__ void histogram_packed(const unsigned* data, unsigned* out, int n) {
  __shared__ unsigned bins[32];
  if (threadIdx.x < 32) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const unsigned key = data[i] & 63;
    atomicAdd(&bins[key / 2], key % 2 == 0 ? 1u : 65536u);
  }
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = bins[threadIdx.x];
}

/// The largest number of a block by atomicMax in shared memory, then of all in global memory.
__global__ void largest(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned most;
  if (threadIdx.x == 0) most = 0;
  __syncthreads();
  unsigned mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) mine = max(mine, in[i]);
  atomicMax(&most, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(out, most);
}

/// Rows are scaled by their largest number, a warp a row, 4 numbers a lane.
__global__ void scale_rows(const float4* in, float4* out) {
  const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  const float4 x = in[row * 32 + lane];
  float most = fmaxf(fmaxf(x.x, x.y), fmaxf(x.z, x.w));
  for (int s = 16; s > 0; s /= 2) most = fmaxf(most, __shfl_xor_sync(~0u, most, s));
  out[row * 32 + lane] = make_float4(x.x / most, x.y / most, x.z / most, x.w / most);
}

/// Complex numbers times a table of roots in shared memory.
__global__ void twiddle(const float2* in, const float2* roots, float2* out) {
  __shared__ float2 root[128];
  root[threadIdx.x] = roots[threadIdx.x];
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    const float2 x = in[(blockIdx.x * 4 + k) * 128 + threadIdx.x], w = root[threadIdx.x * (k + 1) & 127];
    out[(blockIdx.x * 4 + k) * 128 + threadIdx.x] = make_float2(x.x * w.x - x.y * w.y, x.x * w.y + x.y * w.x);
  }
}

/// A thread's eight numbers, sorted by a network in registers, go back through shared memory.
__global__ void sort_eights(const unsigned* in, unsigned* out) {
  __shared__ unsigned part[64 * 8];
  for (int i = threadIdx.x; i < 512; i += 64) part[i] = in[blockIdx.x * 512 + i];
  __syncthreads();
  unsigned k[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) k[i] = part[threadIdx.x * 8 + i];
#pragma unroll
  for (int round = 0; round < 8; ++round)
#pragma unroll
    for (int i = round & 1; i + 1 < 8; i += 2) {
      const unsigned low = min(k[i], k[i + 1]), high = max(k[i], k[i + 1]);
      k[i] = low;
      k[i + 1] = high;
    }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 8; ++i) part[threadIdx.x * 8 + i] = k[i];
  __syncthreads();
  for (int i = threadIdx.x; i < 512; i += 64) out[blockIdx.x * 512 + i] = part[i];
}

/// Attention of one query a thread over keys and values of four numbers in shared memory.
__global__ void attention(const float4* queries, const float4* keys, const float4* values, float4* out, int n) {
  __shared__ float4 key[64], value[64];
  const float4 q = queries[blockIdx.x * 64 + threadIdx.x];
  float4 sum = make_float4(0, 0, 0, 0);
  float most = -1e30f, total = 0.0f;
  for (int first = 0; first < n; first += 64) {
    key[threadIdx.x] = keys[first + threadIdx.x];
    value[threadIdx.x] = values[first + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 64; ++i) {
      const float4 k = key[i];
      const float score = q.x * k.x + q.y * k.y + q.z * k.z + q.w * k.w;
      const float now = fmaxf(most, score), old = __expf(most - now), weight = __expf(score - now);
      const float4 v = value[i];
      sum = make_float4(sum.x * old + weight * v.x, sum.y * old + weight * v.y, sum.z * old + weight * v.z,
                        sum.w * old + weight * v.w);
      total = total * old + weight;
      most = now;
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = make_float4(sum.x / total, sum.y / total, sum.z / total, sum.w / total);
}

}  // namespace

void later() {
  const float* in = floats(pick(1 << 15, 1 << 24));
  float* out = zeros<float>(pick(1 << 15, 1 << 24));
  const auto in4 = reinterpret_cast<const float4*>(in);
  const auto out4 = reinterpret_cast<float4*>(out);
  const auto in2 = reinterpret_cast<const float2*>(in);
  const auto out2 = reinterpret_cast<float2*>(out);
  const int m = pick(60, 1000), columns = pick(50, 900), terms = pick(37, 300);
  const dim3 tiles((columns + 15) / 16, (m + 15) / 16);
  const float* second = in + pick(8192, 1 << 20);
  launch("matmul any size", [=] { matmul_any<<<tiles, dim3(16, 16)>>>(in, second, out, m, columns, terms); });
  int n = pick(64, 768);
  dim3 grid(n / 16, n / 16);
  launch("matmul transposed", [=] { matmul_transposed<<<grid, dim3(16, 16)>>>(in, second, out, n); });
  n = pick(128, 4096);
  const int rows = pick(100, 4096);
  launch("column sums", [=] { column_sums<<<n / 32, dim3(32, 8)>>>(in, out, rows, n); });
  int blocks = pick(1, 8192);
  const int* numbers = reinterpret_cast<const int*>(words(512 * blocks, 100));
  int* scanned = zeros<int>(512 * blocks);
  launch("scan padded", [=] { scan_padded<<<blocks, 256>>>(numbers, scanned); });
  blocks = pick(8, 1 << 15);
  launch("extent", [=] { extent<<<blocks, 256>>>(in, out2); });
  const int side = pick(3, 127), width = pick(66, 2050);
  launch("red black", [=] { red_black<<<dim3(side, side), dim3(18, 18)>>>(in, out, width, 6); });
  n = pick(40, 2000);
  launch("sliding mean", [=] { sliding_mean<<<1, 64>>>(in, out, n); });
  n = pick(1000, 1 << 22);
  blocks = (n + 127) / 128;
  launch("interpolate", [=] { interpolate<<<blocks, 128>>>(in, in + 1000, out, n); });
  n = pick(1000, 1 << 21);
  blocks = (n + 127) / 128;
  const double *coefficients = doubles(8), *places = doubles(n + 24);
  double* results = zeros<double>(n + 24);
  launch("polynomial", [=] { polynomial<<<blocks, 128>>>(coefficients, places, results, n); });
  blocks = pick(4, 2048);
  const unsigned char *left = bytes(64 * blocks, 3), *right = bytes(128 * blocks, 3) + 64 * blocks;
  int* distances = zeros<int>(64 * blocks);
  launch("edit distance", [=] { edit_distance<<<blocks, 64>>>(left, right, distances); });
  n = pick(2000, 100000);
  const unsigned* keys = words(n, 64);
  unsigned* bins = zeros<unsigned>(32);
  launch("histogram packed", [=] { histogram_packed<<<1, 128>>>(keys, bins, n); });
  n = pick(4000, 1 << 24, 1 << 22);
  blocks = pick(8, 1056);
  const unsigned* wide = words(n, 1u << 30);
  unsigned* most = zeros<unsigned>(1);
  launch("largest", [=] { largest<<<blocks, 128>>>(wide, most, n); });
  blocks = pick(8, 1 << 15);
  launch("scale rows", [=] { scale_rows<<<blocks, 128>>>(in4, out4); });
  blocks = pick(8, 16384);
  const auto roots = reinterpret_cast<const float2*>(in + 20000);
  launch("twiddle", [=] { twiddle<<<blocks, 128>>>(in2, roots, out2); });
  blocks = pick(8, 16384);
  const unsigned* unsorted = words(512 * blocks, 1u << 31);
  unsigned* in_order = zeros<unsigned>(512 * blocks);
  launch("sort eights", [=] { sort_eights<<<blocks, 64>>>(unsorted, in_order); });
  blocks = pick(4, 264);
  n = pick(256, 2048);
  const int next = pick(1024, 1 << 15);
  launch("attention", [=] { attention<<<blocks, 64>>>(in4, in4 + next, in4 + 2 * next, out4, n); });
}

}  // namespace ordinary
