// SPDX-License-Identifier: MIT
// Sparse matrices, bodies, finance, chance, clusters.
#include "ordinary.h"

namespace ordinary {
namespace {

__global__ void spmv_scalar(const unsigned* starts, const unsigned* columns, const float* values, const float* x,
                            float* y, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  float sum = 0.0f;
  for (unsigned i = starts[row]; i < starts[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

__global__ void spmv_warp(const unsigned* starts, const unsigned* columns, const float* values, const float* x,
                          float* y, int n) {
  __shared__ volatile float part[128 + 16];
  const int t = threadIdx.x, row = (blockIdx.x * blockDim.x + t) / 32, lane = t & 31;
  if (row >= n) return;
  float sum = 0.0f;
  for (unsigned i = starts[row] + lane; i < starts[row + 1]; i += 32) sum += values[i] * x[columns[i]];
  part[t] = sum;
  for (int s = 16; s > 0; s /= 2) {
    __syncwarp();
    const float other = lane < s ? part[t + s] : 0.0f;
    __syncwarp();
    part[t] = sum = sum + other;
  }
  if (lane == 0) y[row] = sum;
}

__device__ float3 attraction(float4 a, float4 b, float3 sum) {
  const float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
  const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), scale = b.w * inverse * inverse * inverse;
  return make_float3(sum.x + dx * scale, sum.y + dy * scale, sum.z + dz * scale);
}

__global__ void n_body(const float4* bodies, float4* out, int n) {
  extern __shared__ float4 near[];
  const float4 mine = bodies[blockIdx.x * blockDim.x + threadIdx.x];
  float3 sum = make_float3(0.0f, 0.0f, 0.0f);
  for (int tile = 0; tile < n / blockDim.x; ++tile) {
    near[threadIdx.x] = bodies[tile * blockDim.x + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int i = 0; i < blockDim.x; ++i) sum = attraction(mine, near[i], sum);
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = make_float4(sum.x, sum.y, sum.z, 0.0f);
}

/// Forces with the places in three arrays of shared memory.
__global__ void n_body_arrays(const float* x, const float* y, float* force) {
  __shared__ float xs[128], ys[128];
  x += blockIdx.x * 128;
  y += blockIdx.x * 128;
  force += blockIdx.x * 128;
  xs[threadIdx.x] = x[threadIdx.x];
  ys[threadIdx.x] = y[threadIdx.x];
  __syncthreads();
  const float mx = xs[threadIdx.x], my = ys[threadIdx.x];
  float sum = 0.0f;
  for (int i = 0; i < 128; ++i) {
    const float dx = xs[i] - mx, dy = ys[i] - my;
    sum += rsqrtf(dx * dx + dy * dy + 0.1f);
  }
  force[threadIdx.x] = sum;
}

__device__ float normal_distribution(float d) {
  const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
  const float tail =
      0.39894228f * __expf(-0.5f * d * d) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return d > 0 ? 1.0f - tail : tail;
}

__global__ void black_scholes(float* calls, float* puts, const float* prices, const float* strikes, const float* years,
                              int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float s = prices[i] + 5.0f, x = strikes[i] + 5.0f, t = years[i] + 0.25f;
    const float root = sqrtf(t), d1 = (__logf(s / x) + 0.065f * t) / (0.3f * root), d2 = d1 - 0.3f * root;
    const float discounted = x * __expf(-0.02f * t);
    calls[i] = s * normal_distribution(d1) - discounted * normal_distribution(d2);
    puts[i] = discounted * (1.0f - normal_distribution(d2)) - s * (1.0f - normal_distribution(d1));
  }
}

__global__ void monte_carlo_pi(unsigned* inside, int rounds) {
  __shared__ unsigned hits[128];
  unsigned state = 1234567u + 747796405u * (blockIdx.x * blockDim.x + threadIdx.x), count = 0;
  for (int i = 0; i < rounds; ++i) {
    state = state * 1664525u + 1013904223u;
    const float x = (state >> 8) * (1.0f / 16777216.0f);
    state = state * 1664525u + 1013904223u;
    const float y = (state >> 8) * (1.0f / 16777216.0f);
    if (x * x + y * y <= 1.0f) ++count;
  }
  hits[threadIdx.x] = count;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned total = 0;
    for (int i = 0; i < 128; ++i) total += hits[i];
    atomicAdd(inside, total);
  }
}

__global__ void mandelbrot(unsigned char* image, int width, int limit) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float cx = -2.0f + 3.0f * x / width, cy = -1.5f + 3.0f * y / width;
  float zx = 0.0f, zy = 0.0f;
  int i = 0;
  while (i < limit && zx * zx + zy * zy < 4.0f) {
    const float next = zx * zx - zy * zy + cx;
    zy = 2.0f * zx * zy + cy;
    zx = next;
    ++i;
  }
  image[y * width + x] = static_cast<unsigned char>(i);
}

/// Each point's nearest centre; sums of the clusters in shared memory.
__global__ void k_means(const float2* points, const float2* centres, unsigned* sizes, unsigned char* cluster_of,
                        int n) {
  __shared__ float2 near[16];
  __shared__ unsigned count[16];
  if (threadIdx.x < 16) {
    near[threadIdx.x] = centres[threadIdx.x];
    count[threadIdx.x] = 0;
  }
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float2 p = points[i];
    int best = 0;
    float least = 1e30f;
    for (int c = 0; c < 16; ++c) {
      const float dx = p.x - near[c].x, dy = p.y - near[c].y, distance = dx * dx + dy * dy;
      if (distance < least) {
        least = distance;
        best = c;
      }
    }
    cluster_of[i] = static_cast<unsigned char>(best);
    atomicAdd(&count[best], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&sizes[threadIdx.x], count[threadIdx.x]);
}

/// Gauss elimination of a matrix of 16 x 16 in shared memory, without pivots.
__global__ void eliminate(const float* in, float* out) {
  __shared__ float a[16][17];
  const int tx = threadIdx.x, ty = threadIdx.y;
  a[ty][tx] = in[blockIdx.x * 256 + ty * 16 + tx] + (tx == ty ? 16.0f : 0.0f);
  __syncthreads();
  for (int k = 0; k < 15; ++k) {
    const float factor = ty > k ? a[ty][k] / a[k][k] : 0.0f;
    __syncthreads();
    if (ty > k && tx >= k) a[ty][tx] -= factor * a[k][tx];
    __syncthreads();
  }
  out[blockIdx.x * 256 + ty * 16 + tx] = a[ty][tx];
}

/// Sum of a polynomial, in double precision, with a tree over shared memory.
__global__ void integrate(double* out, int n, double step) {
  __shared__ double part[128];
  double sum = 0.0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const double x = (i + 0.5) * step;
    sum += 4.0 / (1.0 + x * x);
  }
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 64; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0] * step;
}

}  // namespace

void numerics() {
  const float* values = floats(pick(1 << 15, 1 << 24));
  float* out = zeros<float>(pick(1 << 14, 1 << 23));
  int n = pick(1000, 1 << 20, 1 << 17);
  const unsigned* starts = sorted(pick(1025, n + 1, n + 1));
  const unsigned* columns = words(pick(8192, 8 * n, 8 * n), pick(1024, n, n));
  launch("spmv thread a row", [=] { spmv_scalar<<<(n + 255) / 256, 256>>>(starts, columns, values, values, out, n); });
  n = pick(250, 1 << 18);
  int blocks = pick(64, 1 << 16);
  launch("spmv warp a row", [=] { spmv_warp<<<blocks, 128>>>(starts, columns, values, values, out, n); });
  const auto bodies = reinterpret_cast<const float4*>(values);
  const auto forces = reinterpret_cast<float4*>(out);
  n = pick(512, 16384, 4096);
  launch("n body", [=] { n_body<<<n / 128, 128, 128 * sizeof(float4)>>>(bodies, forces, n); });
  blocks = pick(1, 4096);
  const float* apart = values + pick(128, 1 << 23);
  launch("n body arrays", [=] { n_body_arrays<<<blocks, 128>>>(values, apart, out); });
  n = pick(4000, 1 << 22, 1 << 20);
  blocks = pick(8, 1056);
  const int next = pick(4096, 1 << 22);
  launch("black scholes",
         [=] { black_scholes<<<blocks, 128>>>(out, out + next, values, values + next, values + 2 * next, n); });
  unsigned* inside = zeros<unsigned>(1);
  const int rounds = pick(100, 1000);
  launch("monte carlo", [=] { monte_carlo_pi<<<blocks, 128>>>(inside, rounds); });
  n = pick(64, 1024);
  const int limit = pick(100, 255);
  unsigned char* image = zeros<unsigned char>(n * n);
  launch("mandelbrot", [=] { mandelbrot<<<dim3(n / 16, n / 8), dim3(16, 8)>>>(image, n, limit); });
  n = pick(1000, 1 << 21);
  const auto points = reinterpret_cast<const float2*>(values);
  const auto centres = reinterpret_cast<const float2*>(values + 5000);
  unsigned* sizes = zeros<unsigned>(16);
  unsigned char* cluster_of = zeros<unsigned char>(n + 24);
  launch("k means", [=] { k_means<<<(n + 127) / 128, 128>>>(points, centres, sizes, cluster_of, n); });
  blocks = pick(8, 8192);
  launch("eliminate", [=] { eliminate<<<blocks, dim3(16, 16)>>>(values, out); });
  n = pick(5000, 1 << 23);
  blocks = pick(8, 1056);
  double* parts = zeros<double>(blocks);
  launch("integrate", [=] { integrate<<<blocks, 128>>>(parts, n, 1.0 / n); });
}

}  // namespace ordinary
