// SPDX-License-Identifier: MIT
// Stencils of one, two and three dimensions.
#include "ordinary.h"

namespace ordinary {
namespace {

constexpr int radius = 3, block = 128;

__global__ void stencil_1d(const int* in, int* out) {
  __shared__ int part[block + 2 * radius];
  const int i = threadIdx.x + blockIdx.x * block + radius, at = threadIdx.x + radius;
  part[at] = in[i];
  if (threadIdx.x < radius) {
    part[at - radius] = in[i - radius];
    part[at + block] = in[i + block];
  }
  __syncthreads();
  int sum = 0;
  for (int offset = -radius; offset <= radius; ++offset) sum += part[at + offset];
  out[i - radius] = sum;
}

/// Four neighbouring results a thread.
__global__ void stencil_1d_four(const float* in, float* out) {
  __shared__ float part[4 * block + 8];
  for (int i = threadIdx.x; i < 4 * block + 8; i += block) part[i] = in[blockIdx.x * 4 * block + i];
  __syncthreads();
  for (int k = 0; k < 4; ++k) {
    const int at = 4 * threadIdx.x + k;
    out[blockIdx.x * 4 * block + at] = 0.25f * part[at + 3] + 0.5f * part[at + 4] + 0.25f * part[at + 5];
  }
}

__global__ void stencil_2d(const float* in, float* out, int n) {
  __shared__ float part[18][18];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  part[ty][tx] = in[y * n + x];
  if (threadIdx.x == 0) {
    part[ty][0] = in[y * n + x - 1];
    part[ty][17] = in[y * n + x + 16];
  }
  if (threadIdx.y == 0) {
    part[0][tx] = in[(y - 1) * n + x];
    part[17][tx] = in[(y + 16) * n + x];
  }
  __syncthreads();
  out[y * n + x] = 0.2f * (part[ty][tx] + part[ty - 1][tx] + part[ty + 1][tx] + part[ty][tx - 1] + part[ty][tx + 1]);
}

/// A plane in shared memory, the numbers below and above in registers.
__global__ void stencil_3d(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float plane[10][34];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1, x = blockIdx.x * 32 + tx, y = blockIdx.y * 8 + ty;
  const int layer = nx * ny;
  int i = y * nx + x;
  float below, here = in[i], above = in[i + layer];
  for (int z = 1; z < nz - 1; ++z) {
    i += layer;
    below = here;
    here = above;
    above = in[i + layer];
    plane[ty][tx] = here;
    if (threadIdx.x < 1) plane[ty][0] = in[i - 1];
    if (threadIdx.x == 31) plane[ty][33] = in[i + 1];
    if (threadIdx.y == 0) plane[0][tx] = in[i - nx];
    if (threadIdx.y == 7) plane[9][tx] = in[i + nx];
    __syncthreads();
    out[i] =
        below + above + plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx] - 6.0f * here;
    __syncthreads();
  }
}

__global__ void jacobi(const float* in, const float* source, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < n - 1 && y > 0 && y < n - 1)
    out[y * n + x] =
        0.25f * (in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x] - source[y * n + x]);
}

/// Several sweeps over a tile that stays in shared memory.
__global__ void jacobi_shared(float* values, int n, int sweeps) {
  __shared__ float old[18][18];
  const int tx = threadIdx.x, ty = threadIdx.y;
  old[ty][tx] = values[(blockIdx.y * 18 + ty) * n + blockIdx.x * 18 + tx];
  __syncthreads();
  for (int s = 0; s < sweeps; ++s) {
    float now = old[ty][tx];
    if (tx > 0 && tx < 17 && ty > 0 && ty < 17)
      now = 0.25f * (old[ty][tx - 1] + old[ty][tx + 1] + old[ty - 1][tx] + old[ty + 1][tx]);
    __syncthreads();
    old[ty][tx] = now;
    __syncthreads();
  }
  values[(blockIdx.y * 18 + ty) * n + blockIdx.x * 18 + tx] = old[ty][tx];
}

/// The row of temperatures that a step needs shrinks from both ends (hotspot, pathfinder).
__global__ void path_finder(const int* wall, const int* from, int* to, int columns, int steps) {
  __shared__ int previous[256], result[256];
  const int tx = threadIdx.x, x = blockIdx.x * 256 + tx;
  previous[tx] = from[x];
  __syncthreads();
  for (int i = 0; i < steps; ++i) {
    const bool valid = tx >= i + 1 && tx <= 254 - i;
    if (valid) {
      const int left = previous[tx - 1], up = previous[tx], right = previous[tx + 1];
      result[tx] = min(min(left, up), right) + wall[i * columns + x];
    }
    __syncthreads();
    if (valid) previous[tx] = result[tx];
    __syncthreads();
  }
  to[x] = previous[tx];
}

__global__ void game_of_life(const unsigned char* in, unsigned char* out, int n) {
  __shared__ unsigned char cells[18][18];
  const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  cells[ty][tx] = in[(y + n) % n * n + (x + n) % n];
  __syncthreads();
  if (tx == 0 || tx > 16 || ty == 0 || ty > 16) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) alive += cells[ty + dy][tx + dx];
  alive -= cells[ty][tx];
  out[y % n * n + x % n] = alive == 3 || (alive == 2 && cells[ty][tx]);
}

}  // namespace

void stencils() {
  const int* numbers = reinterpret_cast<const int*>(words(pick(4096, (1 << 24) + 4096), 100));
  int* sums = zeros<int>(pick(4096, 1 << 24));
  const float* in = floats(pick(1 << 15, 34000000));
  float* out = zeros<float>(pick(1 << 15, 18000000));
  int blocks = pick(8, 1 << 17);
  launch("stencil 1d", [=] { stencil_1d<<<blocks, block>>>(numbers, sums); });
  blocks = pick(4, 1 << 14);
  launch("stencil 1d four", [=] { stencil_1d_four<<<blocks, block>>>(in, out); });
  int side = pick(4, 256, 128);
  launch("stencil 2d", [=] { stencil_2d<<<dim3(side, side), dim3(16, 16)>>>(in, out, 16 * side + 2); });
  const int x = pick(2, 16), y = pick(4, 64), layers = pick(12, 66);
  launch("stencil 3d", [=] { stencil_3d<<<dim3(x, y), dim3(32, 8)>>>(in, out, 32 * x + 2, 8 * y + 2, layers); });
  const int n = pick(120, 4096, 2048);
  const float* source = in + pick(16384, 1 << 24);
  const dim3 grid((n + 31) / 32, (n + 15) / 16);
  launch("jacobi", [=] { jacobi<<<grid, dim3(32, 16)>>>(in, source, out, n); });
  side = pick(3, 200);
  const int width = pick(64, 3600);
  launch("jacobi shared", [=] { jacobi_shared<<<dim3(side, side), dim3(18, 18)>>>(out, width, 5); });
  blocks = pick(4, 4096);
  const int columns = pick(256, 1 << 20), steps = pick(4, 16);
  launch("path finder", [=] { path_finder<<<blocks, 256>>>(numbers, numbers + 1000, sums, columns, steps); });
  side = pick(4, 256);
  const unsigned char* cells = bytes(256 * side * side, 2);
  unsigned char* next = zeros<unsigned char>(256 * side * side);
  launch("game of life", [=] { game_of_life<<<dim3(side, side), dim3(18, 18)>>>(cells, next, 16 * side); });
}

}  // namespace ordinary
