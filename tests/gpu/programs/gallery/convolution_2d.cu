// SPDX-License-Identifier: MIT
// A 5 x 5 filter over a picture. The filter is in constant memory, a tile with its halo in shared memory. Beyond the
// edge is 0.
#include "gallery.h"

constexpr int radius = 2, tile = 16, padded = tile + 2 * radius;
__constant__ float filter[2 * radius + 1][2 * radius + 1];

__global__ void convolve(const float* in, float* out, int width, int height) {
  __shared__ float pixels[padded][padded + 1];
  const int left = blockIdx.x * tile - radius, top = blockIdx.y * tile - radius;
  for (int i = threadIdx.y * tile + threadIdx.x; i < padded * padded; i += tile * tile) {
    const int x = left + i % padded, y = top + i / padded;
    const bool inside = x >= 0 && x < width && y >= 0 && y < height;
    pixels[i / padded][i % padded] = inside ? in[y * width + x] : 0;
  }
  __syncthreads();
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int j = 0; j <= 2 * radius; ++j)
    for (int i = 0; i <= 2 * radius; ++i) sum += filter[j][i] * pixels[threadIdx.y + j][threadIdx.x + i];
  out[y * width + x] = sum;
}

bool program() {
  constexpr int width = 75, height = 53, taps = 2 * radius + 1;
  const std::vector<float> in = uniform_vector(width * height), weights = uniform_vector(taps * taps, 9999);
  checkCudaErrors(cudaMemcpyToSymbol(filter, weights.data(), sizeof filter));
  Buffer<float> d_in(in), out(width * height);
  convolve<<<dim3(blocks_for(width, tile), blocks_for(height, tile)), dim3(tile, tile)>>>(d_in, out, width, height);
  std::vector<double> expected(width * height, 0.0);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int j = -radius; j <= radius; ++j)
        for (int i = -radius; i <= radius; ++i) {
          if (x + i < 0 || x + i >= width || y + j < 0 || y + j >= height) continue;
          expected[y * width + x] +=
              static_cast<double>(weights[(j + radius) * taps + i + radius]) * in[(y + j) * width + x + i];
        }
  return all_close(out.host(), expected, 1e-5);
}
