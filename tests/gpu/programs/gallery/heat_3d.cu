// SPDX-License-Identifier: MIT
// A stencil of seven points in three dimensions: a plane in shared memory, what is above and below in registers.
#include "gallery.h"

constexpr int nx = 32, ny = 16, nz = 12, plane = nx * ny;

__global__ void step(const float* from, float* to) {
  __shared__ float here[ny + 2][nx + 2];
  const int x = threadIdx.x, y = threadIdx.y, i = y * nx + x;
  float below = 0, value = from[i];
  for (int z = 0; z < nz; ++z) {
    const float above = z + 1 < nz ? from[(z + 1) * plane + i] : 0;
    __syncthreads();
    here[y + 1][x + 1] = value;
    if (x == 0) here[y + 1][0] = here[y + 1][nx + 1] = 0;
    if (y == 0) here[0][x + 1] = here[ny + 1][x + 1] = 0;
    __syncthreads();
    const float around = here[y][x + 1] + here[y + 2][x + 1] + here[y + 1][x] + here[y + 1][x + 2] + below + above;
    to[z * plane + i] = value + 0.1f * (around - 6 * value);
    below = value;
    value = above;
  }
}

bool program() {
  constexpr int steps = 5;
  const std::vector<float> start = uniform_vector(plane * nz);
  std::vector<double> heat(start.begin(), start.end()), next(heat.size());
  Buffer<float> first(start), second(start.size());
  const auto at = [&](int x, int y, int z) {
    return x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz ? 0.0 : heat[z * plane + y * nx + x];
  };
  for (int s = 0; s < steps; ++s) {
    step<<<1, dim3(nx, ny)>>>(s % 2 ? second : first, s % 2 ? first : second);
    for (int z = 0; z < nz; ++z)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x)
          next[z * plane + y * nx + x] =
              at(x, y, z) + 0.1 * (at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                                   at(x, y, z - 1) + at(x, y, z + 1) - 6 * at(x, y, z));
    heat.swap(next);
  }
  return all_close(second.host(), heat, 1e-5);
}
