// SPDX-License-Identifier: MIT
// Grids in one to three dimensions, radius one to four.
#include "unseen.h"

namespace unseen {
namespace {

__global__ void line_radius_4(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 4 || i >= n - 4) return;
  double sum = 0.0;
  for (int k = -4; k <= 4; ++k) sum += in[i + k];
  out[i] = sum / 9.0;
}

__global__ void nine_points(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const float *a = in + (y - 1) * width + x, *b = a + width, *c = b + width;
  out[y * width + x] = 0.25f * b[0] + 0.125f * (a[0] + c[0] + b[-1] + b[1]) + 0.0625f * (a[-1] + a[1] + c[-1] + c[1]);
}

/// A cross of radius three, from a tile with its border.
__global__ void cross_radius_3(const float* in, float* out, int width) {
  __shared__ float tile[14][38];
  const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8;
  for (int i = threadIdx.y * 32 + threadIdx.x; i < 14 * 38; i += 256)
    tile[i / 38][i % 38] = in[(y0 + i / 38) * width + x0 + i % 38];
  __syncthreads();
  const int x = threadIdx.x + 3, y = threadIdx.y + 3;
  float sum = 0.4f * tile[y][x];
#pragma unroll
  for (int k = 1; k <= 3; ++k) sum += 0.05f * k * (tile[y - k][x] + tile[y + k][x] + tile[y][x - k] + tile[y][x + k]);
  out[(y0 + y) * width + x0 + x] = sum;
}

/// A star of radius two, 13 loads.
__global__ void star_radius_2(const float* in, float* out, int nx, int ny) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z + 2;
  if (x < 2 || y < 2 || x >= nx - 2 || y >= ny - 2) return;
  const int slice = nx * ny, at = z * slice + y * nx + x;
  out[at] =
      0.5f * in[at] + 0.06f * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - slice] + in[at + slice]) +
      0.02f * (in[at - 2] + in[at + 2] + in[at - 2 * nx] + in[at + 2 * nx] + in[at - 2 * slice] + in[at + 2 * slice]);
}

/// Radius four: a block goes along z, a thread keeps its column in registers, the slice is in shared memory.
__global__ void star_marching(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float tile[16][40];
  const int tx = threadIdx.x + 4, ty = threadIdx.y + 4, slice = nx * ny;
  int at = (blockIdx.y * 8 + ty) * nx + blockIdx.x * 32 + tx;
  float column[9];
  for (int k = 0; k < 8; ++k) column[k + 1] = in[at + k * slice];
  for (int z = 4; z < nz - 4; ++z) {
#pragma unroll
    for (int k = 0; k < 8; ++k) column[k] = column[k + 1];
    column[8] = in[at + 8 * slice];
    const float* here = in + at + 4 * slice;
    __syncthreads();
    tile[ty][tx] = column[4];
    if (threadIdx.x < 4) {
      tile[ty][tx - 4] = here[-4];
      tile[ty][tx + 32] = here[32];
    }
    if (threadIdx.y < 4) {
      tile[ty - 4][tx] = here[-4 * nx];
      tile[ty + 8][tx] = here[8 * nx];
    }
    __syncthreads();
    float sum = 0.3f * column[4];
#pragma unroll
    for (int k = 1; k <= 4; ++k)
      sum +=
          0.1f / k *
          (column[4 - k] + column[4 + k] + tile[ty - k][tx] + tile[ty + k][tx] + tile[ty][tx - k] + tile[ty][tx + k]);
    out[at + 4 * slice] = sum;
    at += slice;
  }
}

/// The temperature of a chip, as in Rodinia.
__global__ void hotspot(const float* temperature, const float* power, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const int west = max(x - 1, 0), east = min(x + 1, n - 1), north = max(y - 1, 0), south = min(y + 1, n - 1);
  const float t = temperature[y * n + x];
  out[y * n + x] =
      t + 0.2f * (power[y * n + x] + (temperature[south * n + x] + temperature[north * n + x] - 2.0f * t) / 3.0f +
                  (temperature[y * n + east] + temperature[y * n + west] - 2.0f * t) / 5.0f + (80.0f - t) / 90.0f);
}

/// Lattice Boltzmann, nine directions: pull and collide.
__global__ void lattice_boltzmann(const float* from, float* to, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  const int dx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, dy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float weights[9] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
  float f[9], density = 0.0f, u = 0.0f, v = 0.0f;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    f[k] = from[k * n * n + ((y - dy[k] + n) % n) * n + (x - dx[k] + n) % n] + weights[k];
    density += f[k];
    u += f[k] * dx[k];
    v += f[k] * dy[k];
  }
  u /= density;
  v /= density;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const float e = dx[k] * u + dy[k] * v;
    const float balance = weights[k] * density * (1.0f + 3.0f * e + 4.5f * e * e - 1.5f * (u * u + v * v));
    to[k * n * n + y * n + x] = f[k] + 0.6f * (balance - f[k]);
  }
}

/// 32 cells in a word; the neighbours are counted by adders of bits.
__global__ void life_bits(const unsigned* in, unsigned* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y + 1;
  if (x < 1 || x >= width - 1) return;
  unsigned ones = 0, twos = 0, fours = 0;
  for (int row = y - 1; row <= y + 1; ++row) {
    const unsigned left = in[row * width + x - 1], here = in[row * width + x], right = in[row * width + x + 1];
    const unsigned all[3] = {here << 1 | left >> 31, here >> 1 | right << 31, row == y ? 0 : here};
    for (int k = 0; k < 3; ++k) {
      const unsigned carry = ones & all[k];
      ones ^= all[k];
      fours |= twos & carry;
      twos ^= carry;
    }
  }
  out[y * width + x] = twos & ~fours & (ones | in[y * width + x]);
}

/// The magnetic field of a step of FDTD.
__global__ void fdtd_field(double* hz, const double* ex, const double* ey, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  hz[i] -= 0.7 * (ex[i + 1] - ex[i] + ey[i + width] - ey[i]);
}

}  // namespace

void stencils() {
  const float* in = floats(pick(1 << 16, 10000000));
  float* out = zeros<float>(pick(1 << 16, 10000000));
  const double* d = doubles(pick(1 << 14, 1 << 22));
  double* e = zeros<double>(pick(1 << 14, 1 << 22));
  int n = pick(3000, 3500000, 1500000);
  launch("line radius 4", [=] { line_radius_4<<<blocks_of(n), kBlock>>>(d, e, n); });
  n = pick(75, 2500);
  int m = pick(43, 1900);
  launch("nine points", [=] { nine_points<<<dim3(blocks_of(n, 32), blocks_of(m, 8)), dim3(32, 8)>>>(in, out, n, m); });
  int bx = pick(2, 72), by = pick(3, 300);
  launch("cross radius 3", [=] { cross_radius_3<<<dim3(bx, by), dim3(32, 8)>>>(in, out, bx * 32 + 6); });
  n = pick(24, 180, 250);
  m = pick(20, 150, 200);
  const int planes = pick(10, 140, 190);
  const dim3 bricks(blocks_of(n, 32), blocks_of(m, 4), planes - 4);
  launch("star radius 2", [=] { star_radius_2<<<bricks, dim3(32, 4)>>>(in, out, n, m); });
  bx = pick(2, 8);
  by = pick(2, 28);
  const int depth = pick(12, 100);
  launch("star marching",
         [=] { star_marching<<<dim3(bx, by), dim3(32, 8)>>>(in, out, bx * 32 + 8, by * 8 + 8, depth); });
  n = pick(70, 2000, 3000);
  launch("hotspot", [=] { hotspot<<<dim3(blocks_of(n, 16), blocks_of(n, 16)), dim3(16, 16)>>>(in, in, out, n); });
  n = pick(64, 896);
  launch("lattice boltzmann", [=] { lattice_boltzmann<<<dim3(n / 64, n), 64>>>(in, out, n); });
  n = pick(100, 1000);
  m = pick(20, 4000);
  const unsigned* cells = words(n * (m + 2), ~0u);
  const auto next = reinterpret_cast<unsigned*>(out);
  launch("life bits", [=] { life_bits<<<dim3(blocks_of(n, 128), m), 128>>>(cells, next, n); });
  n = pick(70, 1500);
  m = pick(45, 1300);
  launch("fdtd field",
         [=] { fdtd_field<<<dim3(blocks_of(n, 64), blocks_of(m, 4)), dim3(64, 4)>>>(e, d, d + n * m, n, m); });
}

}  // namespace unseen
