// SPDX-License-Identifier: MIT
// How data lie: structs, narrow and wide types, gather and scatter, local arrays.
#include <cuda_fp16.h>

#include "ordinary.h"

namespace ordinary {
namespace {

struct Point {
  float x, y, z;
};
struct Particle {
  float4 position;
  float4 velocity;
};
struct Mixed {
  char tag;
  short count;
  int number;
  double weight;
};

__global__ void move_points(Point* points, float dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Point p = points[i];
  p.x += dx;
  p.y *= 2.0f;
  p.z -= p.x;
  points[i] = p;
}

__global__ void move_arrays(float* x, float* y, float* z, float dx, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] += dx;
  y[i] *= 2.0f;
  z[i] -= x[i];
}

__global__ void move_particles(Particle* particles, float dt, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle& p = particles[i];
  p.position.x += p.velocity.x * dt;
  p.position.y += p.velocity.y * dt;
  p.position.z += p.velocity.z * dt;
}

__global__ void sum_mixed(const Mixed* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i].tag + in[i].count + in[i].number * in[i].weight;
}

/// Structs go through shared memory.
__global__ void points_shared(const Point* in, float* out) {
  __shared__ Point part[128];
  part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  const Point p = part[127 - threadIdx.x];
  out[blockIdx.x * 128 + threadIdx.x] = p.x * p.x + p.y * p.y + p.z * p.z;
}

__global__ void axpy_half2(const __half2* x, __half2* y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = __hfma2(__float2half2_rn(a), x[i], y[i]);
}

__global__ void gather(const float* in, const unsigned* places, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[places[i]];
}

__global__ void scatter(const float* in, const unsigned* places, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[places[i] * 2] = in[i];
}

__global__ void copy_four(const float4* in, float4* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = in[i];
}

/// Four numbers a thread, one after the other.
__global__ void copy_unrolled(const float* in, float* out) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
#pragma unroll
  for (int k = 0; k < 4; ++k) out[i + k] = 2.0f * in[i + k];
}

__global__ void reverse_short(const unsigned short* in, unsigned short* out) {
  __shared__ unsigned short part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = part[255 - threadIdx.x];
}

/// Each byte is replaced by what a table says; four of them a thread.
__global__ void substitute(const unsigned char* in, const unsigned char* table, unsigned char* out) {
  __shared__ unsigned char box[256];
  box[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  for (int k = 0; k < 4; ++k) out[i + k] = box[in[i + k] ^ k];
}

/// A thread's own numbers in shared memory, sixteen neighbouring ones, odd by one number so that banks differ.
__global__ void own_row(const float* in, float* out) {
  __shared__ float part[64][17];
  for (int i = threadIdx.x; i < 64 * 16; i += 64) part[i / 16][i % 16] = in[blockIdx.x * 1024 + i];
  __syncthreads();
  float running = 0.0f;
  for (int k = 0; k < 16; ++k) {
    running += part[threadIdx.x][k];
    part[threadIdx.x][k] = running;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 64 * 16; i += 64) out[blockIdx.x * 1024 + i] = part[i / 16][i % 16];
}

/// The same without padding.
__global__ void own_row_aligned(const float* in, float* out) {
  __shared__ float part[64][16];
  for (int i = threadIdx.x; i < 64 * 16; i += 64) part[i / 16][i % 16] = in[blockIdx.x * 1024 + i];
  __syncthreads();
  float running = 0.0f;
  for (int k = 0; k < 16; ++k) {
    running += part[threadIdx.x][k];
    part[threadIdx.x][k] = running;
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 64 * 16; i += 64) out[blockIdx.x * 1024 + i] = part[i / 16][i % 16];
}

}  // namespace

void layouts() {
  float *x = floats(pick(1 << 15, 1 << 24)), *y = zeros<float>(pick(1 << 15, 1 << 24));
  int n = pick(2000, 1 << 22, 1 << 20), blocks = (n + 255) / 256;
  const auto points = reinterpret_cast<Point*>(x);
  launch("array of structs", [=] { move_points<<<blocks, 256>>>(points, 0.5f, n); });
  n = pick(2000, 1 << 22);
  blocks = (n + 255) / 256;
  const int next = pick(4096, 1 << 22);
  launch("struct of arrays", [=] { move_arrays<<<blocks, 256>>>(x, x + next, x + 2 * next, 0.5f, n); });
  n = pick(1000, 1 << 21);
  blocks = (n + 255) / 256;
  launch("particles", [=] { move_particles<<<blocks, 256>>>(reinterpret_cast<Particle*>(x), 0.5f, n); });
  const Mixed* mixed = zeros<Mixed>(n + 24);
  double* sums = zeros<double>(n + 24);
  launch("mixed struct", [=] { sum_mixed<<<blocks, 256>>>(mixed, sums, n); });
  blocks = pick(8, 1 << 15);
  launch("points shared", [=] { points_shared<<<blocks, 128>>>(points, y); });
  n = pick(2000, 1 << 24);
  blocks = (n + 255) / 256;
  const __half2* halves = zeros<__half2>(n + 48);
  __half2* more_halves = zeros<__half2>(n + 48);
  launch("half2 axpy", [=] { axpy_half2<<<blocks, 256>>>(halves, more_halves, 2.0f, n); });
  n = pick(2000, 1 << 22, 1 << 22);
  blocks = (n + 255) / 256;
  const unsigned* anywhere = words(n + 48, pick(4096, 1 << 24, 1 << 20));
  launch("gather", [=] { gather<<<blocks, 256>>>(x, anywhere, y, n); });
  n = pick(2000, 1 << 20);
  blocks = (n + 255) / 256;
  const unsigned* ascending = sorted(n + 48);
  launch("scatter", [=] { scatter<<<blocks, 256>>>(x, ascending, y, n); });
  n = pick(8000, 1 << 22, 1 << 20);
  blocks = pick(8, 1056);
  const auto x4 = reinterpret_cast<const float4*>(x);
  const auto y4 = reinterpret_cast<float4*>(y);
  launch("copy float4", [=] { copy_four<<<blocks, 256>>>(x4, y4, n); });
  blocks = pick(8, 1 << 14);
  launch("copy unrolled", [=] { copy_unrolled<<<blocks, 256>>>(x, y); });
  blocks = pick(8, 1 << 16);
  const unsigned short* shorts = zeros<unsigned short>(256 * blocks);
  unsigned short* reversed = zeros<unsigned short>(256 * blocks);
  launch("reverse short", [=] { reverse_short<<<blocks, 256>>>(shorts, reversed); });
  blocks = pick(8, 1 << 14);
  const unsigned char *text = bytes(1024 * blocks, 256), *table = bytes(256, 256);
  unsigned char* replaced = zeros<unsigned char>(1024 * blocks);
  launch("substitute bytes", [=] { substitute<<<blocks, 256>>>(text, table, replaced); });
  launch("own row padded", [=] { own_row<<<blocks, 64>>>(x, y); });
  launch("own row", [=] { own_row_aligned<<<blocks, 64>>>(x, y); });
}

}  // namespace ordinary
