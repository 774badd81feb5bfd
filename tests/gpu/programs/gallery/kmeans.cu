// SPDX-License-Identifier: MIT
// K-means: points find their nearest centre, blocks add up in shared memory and then in global memory. Coordinates are
// whole numbers, so sums are exact in any order.
#include "gallery.h"

constexpr int clusters = 6;

struct Sums {
  int x[clusters], y[clusters], count[clusters];
};

__host__ __device__ int nearest(int x, int y, const float2* centres) {
  int best = 0;
  float least = INFINITY;
  for (int c = 0; c < clusters; ++c) {
    const float dx = x - centres[c].x, dy = y - centres[c].y;
    const float distance = fabsf(dx) + fabsf(dy);  // no product, so no rounding differs
    if (distance < least) least = distance, best = c;
  }
  return best;
}

__global__ void assign(const int2* points, int n, const float2* centres, Sums* sums) {
  __shared__ Sums mine;
  for (int i = threadIdx.x; i < sizeof(Sums) / sizeof(int); i += blockDim.x) reinterpret_cast<int*>(&mine)[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const int c = nearest(points[i].x, points[i].y, centres);
    atomicAdd(&mine.x[c], points[i].x);
    atomicAdd(&mine.y[c], points[i].y);
    atomicAdd(&mine.count[c], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < sizeof(Sums) / sizeof(int); i += blockDim.x)
    atomicAdd(reinterpret_cast<int*>(sums) + i, reinterpret_cast<int*>(&mine)[i]);
}

__global__ void move_centres(const Sums* sums, float2* centres) {
  const int c = threadIdx.x;
  if (sums->count[c] == 0) return;
  centres[c] = make_float2(__fdiv_rn(sums->x[c], sums->count[c]), __fdiv_rn(sums->y[c], sums->count[c]));
}

bool program() {
  constexpr int n = 3000, rounds = 6;
  std::vector<int2> points(n);
  std::vector<float2> centres(clusters);
  for (int i = 0; i < n; ++i)
    points[i] = make_int2(scramble(2 * i) % 100 + 150 * (i % 3), scramble(2 * i + 1) % 100 + 150 * (i % 2));
  for (int c = 0; c < clusters; ++c) centres[c] = make_float2(points[c * 7].x, points[c * 7].y);
  Buffer<int2> d_points(points);
  Buffer<float2> d_centres(centres);
  Buffer<Sums> sums(1);
  for (int round = 0; round < rounds; ++round) {
    sums.clear();
    assign<<<8, 128>>>(d_points, n, d_centres, sums);
    move_centres<<<1, clusters>>>(sums, d_centres);
    Sums s{};
    for (const int2& p : points) {
      const int c = nearest(p.x, p.y, centres.data());
      s.x[c] += p.x, s.y[c] += p.y, ++s.count[c];
    }
    for (int c = 0; c < clusters; ++c) {
      if (s.count[c] == 0) continue;
      centres[c] = make_float2(static_cast<float>(s.x[c]) / s.count[c], static_cast<float>(s.y[c]) / s.count[c]);
    }
  }
  const std::vector<float2> got = d_centres.host();
  for (int c = 0; c < clusters; ++c) {
    if (got[c].x != centres[c].x || got[c].y != centres[c].y) return false;
  }
  return true;
}
