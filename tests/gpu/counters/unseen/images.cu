// SPDX-License-Identifier: MIT
// Filters of images, and tables of dynamic programming.
#include "unseen.h"

namespace unseen {
namespace {

__global__ void bilateral(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return;
  const float centre = in[y * width + x];
  float sum = 0.0f, total = 0.0f;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      const float value = in[(y + dy) * width + x + dx], difference = value - centre;
      const float weight = __expf(-0.2f * (dx * dx + dy * dy) - 20.0f * difference * difference);
      sum += weight * value;
      total += weight;
    }
  out[y * width + x] = sum / total;
}

/// The smallest of 5 x 5 bytes, from a tile.
__global__ void erode(const unsigned char* in, unsigned char* out, int width) {
  __shared__ unsigned char tile[20][20];
  const int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 400; i += 256)
    tile[i / 20][i % 20] = in[(y0 + i / 20) * width + x0 + i % 20];
  __syncthreads();
  int least = 255;
  for (int dy = 0; dy < 5; ++dy)
    for (int dx = 0; dx < 5; ++dx) least = min(least, static_cast<int>(tile[threadIdx.y + dy][threadIdx.x + dx]));
  out[(y0 + threadIdx.y + 2) * width + x0 + threadIdx.x + 2] = static_cast<unsigned char>(least);
}

__device__ void sort_two(unsigned char& a, unsigned char& b) {
  const unsigned char small = min(a, b);
  b = max(a, b);
  a = small;
}

/// The median of 3 x 3 bytes: three columns in order, then the middle of their ends.
__global__ void median_bytes(const unsigned char* in, unsigned char* out, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y + 1;
  if (x >= width - 1) return;
  unsigned char v[9];
  for (int k = 0; k < 9; ++k) v[k] = in[(y + k / 3 - 1) * width + x + k % 3 - 1];
  for (int c = 0; c < 3; ++c) {
    sort_two(v[c], v[c + 3]);
    sort_two(v[c + 3], v[c + 6]);
    sort_two(v[c], v[c + 3]);
  }
  unsigned char low = max(max(v[0], v[1]), v[2]), high = min(min(v[6], v[7]), v[8]);
  sort_two(v[3], v[4]);
  const unsigned char middle = max(v[3], min(v[4], v[5]));
  sort_two(low, high);
  out[y * width + x] = max(low, min(high, middle));
}

/// A sum that runs along the row: a row a thread.
__global__ void blur_rows(const float* in, float* out, int width, int height, int radius) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  float sum = 0.0f;
  for (int x = 0; x < 2 * radius; ++x) sum += in[y * width + x];
  for (int x = radius; x < width - radius; ++x) {
    sum += in[y * width + x + radius];
    out[y * width + x] = sum / (2 * radius + 1);
    sum -= in[y * width + x - radius];
  }
}

/// Rotates by an angle, with the mean of four neighbours.
__global__ void rotate(const float* in, float* out, int n, float sine, float cosine) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const float u = cosine * (x - n / 2) - sine * (y - n / 2) + n / 2,
              v = sine * (x - n / 2) + cosine * (y - n / 2) + n / 2;
  const int i = static_cast<int>(floorf(u)), j = static_cast<int>(floorf(v));
  float value = 0.0f;
  if (i >= 0 && j >= 0 && i < n - 1 && j < n - 1) {
    const float *p = in + j * n + i, a = u - i, b = v - j;
    value = (1 - b) * ((1 - a) * p[0] + a * p[1]) + b * ((1 - a) * p[n] + a * p[n + 1]);
  }
  out[y * n + x] = value;
}

/// Size and direction of the slope.
__global__ void slopes(const unsigned char* in, float* size, unsigned char* direction, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
  const unsigned char *a = in + (y - 1) * width + x, *b = a + width, *c = b + width;
  const float gx = a[1] + 2 * b[1] + c[1] - a[-1] - 2 * b[-1] - c[-1],
              gy = c[-1] + 2 * c[0] + c[1] - a[-1] - 2 * a[0] - a[1];
  size[y * width + x] = sqrtf(gx * gx + gy * gy);
  direction[y * width + x] = static_cast<unsigned char>(4.0f + 1.2732395f * atan2f(gy, gx)) & 3;
}

/// The coefficient of a diffusion, as in Rodinia's SRAD.
__global__ void diffusion(const float* in, float* out, int rows, int columns, float q0) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  const float j = in[y * columns + x] + 1.0f;
  const float n = in[max(y - 1, 0) * columns + x] + 1.0f - j, s = in[min(y + 1, rows - 1) * columns + x] + 1.0f - j;
  const float w = in[y * columns + max(x - 1, 0)] + 1.0f - j, e = in[y * columns + min(x + 1, columns - 1)] + 1.0f - j;
  const float slope = (n * n + s * s + w * w + e * e) / (j * j), curve = (n + s + w + e) / j;
  const float part = 1.0f + 0.25f * curve, q = (0.5f * slope - 0.0625f * curve * curve) / (part * part);
  const float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
  out[y * columns + x] = fminf(fmaxf(c, 0.0f), 1.0f);
}

__global__ void equalise(const unsigned char* in, const unsigned* cumulative, unsigned char* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = static_cast<unsigned char>(cumulative[in[i]] * 255u / 1799u);
}

/// Needleman-Wunsch: the tiles of one diagonal, 32 x 32 each, by waves.
__global__ void alignment_tiles(const int* scores, int* table, int width, int diagonal, int penalty) {
  __shared__ int cells[33][33];
  const int t = threadIdx.x, x0 = blockIdx.x * 32, y0 = (diagonal - static_cast<int>(blockIdx.x)) * 32;
  for (int row = 0; row < 33; ++row) {
    if (t == 0) cells[row][0] = table[(y0 + row) * width + x0];
    cells[row][t + 1] = row == 0 ? table[y0 * width + x0 + t + 1] : scores[(y0 + row) * width + x0 + t + 1];
  }
  __syncthreads();
  for (int wave = 0; wave < 63; ++wave) {
    const int x = t + 1, y = wave - t + 1;
    if (y >= 1 && y <= 32)
      cells[y][x] = max(cells[y - 1][x - 1] + cells[y][x], max(cells[y - 1][x], cells[y][x - 1]) - penalty);
    __syncthreads();
  }
  for (int row = 1; row < 33; ++row) table[(y0 + row) * width + x0 + t + 1] = cells[row][t + 1];
}

/// One item of a knapsack: all capacities.
__global__ void knapsack_item(const int* before, int* after, int capacity, int weight, int value) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c < capacity) after[c] = c >= weight ? max(before[c], before[c - weight] + value) : before[c];
}

/// The longest common part of pairs of texts of 128 bytes: a pair a block, three diagonals in shared memory.
__global__ void common_subsequence(const unsigned char* left, const unsigned char* right, int* out) {
  __shared__ int lines[3][129];
  const int t = threadIdx.x;
  for (int i = t; i < 3 * 129; i += 128) lines[i / 129][i % 129] = 0;
  const unsigned char own = left[blockIdx.x * 128 + t];
  __syncthreads();
  for (int wave = 0; wave < 255; ++wave) {
    const int column = wave - t;
    int* now = lines[wave % 3];
    const int *last = lines[(wave + 2) % 3], *older = lines[(wave + 1) % 3];
    if (column >= 0 && column < 128) {
      const bool same = own == right[blockIdx.x * 128 + column];
      const int corner = column == 0 ? 0 : older[t], side = column == 0 ? 0 : last[t + 1];
      now[t + 1] = same ? corner + 1 : max(last[t], side);
    }
    __syncthreads();
  }
  if (t == 127) out[blockIdx.x] = lines[254 % 3][128];
}

}  // namespace

void images() {
  const float* in = floats(pick(1 << 16, 1 << 22));
  float* out = zeros<float>(pick(1 << 16, 1 << 22));
  const unsigned char* pixels = bytes(pick(1 << 16, 6500000), 256);
  unsigned char* edited = zeros<unsigned char>(pick(1 << 16, 6500000));
  const dim3 square(16, 16);
  int n = pick(70, 1280), m = pick(45, 720);
  launch("bilateral", [=] { bilateral<<<dim3(blocks_of(n, 16), blocks_of(m, 16)), square>>>(in, out, n, m); });
  n = pick(3, 100);
  m = pick(2, 70);
  launch("erode", [=] { erode<<<dim3(n, m), square>>>(pixels, edited, n * 16 + 4); });
  n = pick(70, 2560, 3000);
  m = pick(20, 1440, 2100);
  launch("median bytes", [=] { median_bytes<<<dim3(blocks_of(n - 2, 128), m - 2), 128>>>(pixels, edited, n); });
  n = pick(100, 1500);
  m = pick(100, 2000);
  launch("blur rows", [=] { blur_rows<<<blocks_of(m, 64), 64>>>(in, out, n, m, 5); });
  n = pick(100, 1800);
  launch("rotate", [=] { rotate<<<dim3(blocks_of(n, 16), blocks_of(n, 16)), square>>>(in, out, n, 0.5f, 0.8660254f); });
  n = pick(100, 1920);
  m = pick(50, 1080);
  launch("slopes",
         [=] { slopes<<<dim3(blocks_of(n, 32), blocks_of(m, 8)), dim3(32, 8)>>>(pixels, out, edited, n, m); });
  n = pick(100, 2048);
  m = pick(50, 2000);
  launch("diffusion", [=] { diffusion<<<dim3(blocks_of(n, 16), blocks_of(m, 16)), square>>>(in, out, m, n, 0.5f); });
  n = pick(5000, 6000000);
  const unsigned* cumulative = sorted(256);
  const int blocks = pick(4, 528);
  launch("equalise", [=] { equalise<<<blocks, 256>>>(pixels, cumulative, edited, n); });
  m = pick(2, 60);
  n = 32 * m + 1;
  const auto scores = reinterpret_cast<const int*>(words(n * n, 10));
  int* table = zeros<int>(n * n);
  launch("alignment tiles", [=] { alignment_tiles<<<m, 32>>>(scores, table, n, m - 1, 3); });
  n = pick(3000, 4000000);
  const auto before = reinterpret_cast<const int*>(words(n, 1000));
  int* after = zeros<int>(n);
  launch("knapsack item", [=] { knapsack_item<<<blocks_of(n), kBlock>>>(before, after, n, 1237, 500); });
  n = pick(4, 1000, 132);
  const unsigned char* texts = bytes(256 * n, 4);
  int* lengths = zeros<int>(n);
  launch("common subsequence", [=] { common_subsequence<<<n, 128>>>(texts, texts + 128 * n, lengths); });
}

}  // namespace unseen
