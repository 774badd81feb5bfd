// finds: race scope=block hazard=read-after-write
// SPDX-License-Identifier: MIT
// compute-sanitizer: racecheck: 1 error and 1 warning
// says: end the loop's body with __syncthreads()
// does not say: between lines
// The product of two matrices in tiles: the next tiles are loaded while slow warps still multiply the present ones.
#include "../planted.h"

constexpr int kTile = 16;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile], tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * kTile + y, column = blockIdx.x * kTile + x;
  float sum = 0.0f;
  for (int tile = 0; tile < n; tile += kTile) {
    tile_a[y][x] = a[row * n + tile + x];       // <- also
    tile_b[y][x] = b[(tile + y) * n + column];  // <- other
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];  // <- here
#ifdef REPAIRED
    __syncthreads();
#endif
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 2 * kTile;
  const DeviceArray<float> a(n * n, 7), b(n * n, 5), c(n * n);
  multiply<<<dim3(2, 2), dim3(kTile, kTile)>>>(a, b, c, n);
  return finish(c);
}
