// SPDX-License-Identifier: MIT
// The Mandelbrot set: loops of very different lengths in one warp. Each operation is rounded for itself, as on the
// host.
#include "gallery.h"

constexpr int width = 96, height = 64, most = 200;

__host__ __device__ double times(double a, double b) {
#ifdef __CUDA_ARCH__
  return __dmul_rn(a, b);
#else
  return a * b;
#endif
}

__host__ __device__ int iterations(double cx, double cy) {
  double x = 0, y = 0;
  for (int i = 0; i < most; ++i) {
    const double xx = times(x, x), yy = times(y, y);
    if (xx + yy > 4) return i;
    y = times(2 * x, y) + cy;
    x = xx - yy + cx;
  }
  return most;
}
__host__ __device__ int pixel(int i) { return iterations((i % width - 64) / 32.0, (i / width - 32) / 32.0); }

__global__ void draw(unsigned char* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < width * height; i += gridDim.x * blockDim.x)
    out[i] = static_cast<unsigned char>(pixel(i));
}

bool program() {
  Buffer<unsigned char> out(width * height);
  draw<<<12, 128>>>(out);
  std::vector<unsigned char> expected(width * height);
  for (int i = 0; i < width * height; ++i) expected[i] = static_cast<unsigned char>(pixel(i));
  return out.host() == expected;
}
