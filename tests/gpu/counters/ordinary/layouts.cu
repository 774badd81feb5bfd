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
  float *x = floats(1 << 15), *y = zeros<float>(1 << 15);
  move_points<<<8, 256>>>(reinterpret_cast<Point*>(x), 0.5f, 2000);
  launched("array of structs");
  move_arrays<<<8, 256>>>(x, x + 4096, x + 8192, 0.5f, 2000);
  launched("struct of arrays");
  move_particles<<<4, 256>>>(reinterpret_cast<Particle*>(x), 0.5f, 1000);
  launched("particles");
  sum_mixed<<<4, 256>>>(zeros<Mixed>(1024), zeros<double>(1024), 1000);
  launched("mixed struct");
  points_shared<<<8, 128>>>(reinterpret_cast<const Point*>(x), y);
  launched("points shared");
  axpy_half2<<<8, 256>>>(zeros<__half2>(2048), zeros<__half2>(2048), 2.0f, 2000);
  launched("half2 axpy");
  gather<<<8, 256>>>(x, words(2048, 4096), y, 2000);
  launched("gather");
  scatter<<<8, 256>>>(x, sorted(2048), y, 2000);
  launched("scatter");
  copy_four<<<8, 256>>>(reinterpret_cast<const float4*>(x), reinterpret_cast<float4*>(y), 8000);
  launched("copy float4");
  copy_unrolled<<<8, 256>>>(x, y);
  launched("copy unrolled");
  reverse_short<<<8, 256>>>(zeros<unsigned short>(2048), zeros<unsigned short>(2048));
  launched("reverse short");
  substitute<<<8, 256>>>(bytes(8192, 256), bytes(256, 256), zeros<unsigned char>(8192));
  launched("substitute bytes");
  own_row<<<8, 64>>>(x, y);
  launched("own row padded");
  own_row_aligned<<<8, 64>>>(x, y);
  launched("own row");
}

}  // namespace ordinary
