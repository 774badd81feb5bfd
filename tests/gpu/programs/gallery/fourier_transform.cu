// SPDX-License-Identifier: MIT
// A fast Fourier transform of 256 points a block, in Stockham's order, between two halves of shared memory.
#include "gallery.h"

constexpr int n = 256;

__global__ void transform(const float2* in, float2* out, float sign) {
  __shared__ float2 halves[2][n];
  const int t = threadIdx.x;
  for (int i = t; i < n; i += n / 2) halves[0][i] = in[blockIdx.x * n + i];
  int from = 0;
  for (int length = 1; length < n; length *= 2) {
    __syncthreads();
    const int k = t % length;
    float sine = 0, cosine = 0;
    sincospif(sign * k / length, &sine, &cosine);
    const float2 a = halves[from][t], b = halves[from][t + n / 2];
    const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    const int to = 2 * t - k;
    halves[1 - from][to] = make_float2(a.x + turned.x, a.y + turned.y);
    halves[1 - from][to + length] = make_float2(a.x - turned.x, a.y - turned.y);
    from = 1 - from;
  }
  __syncthreads();
  for (int i = t; i < n; i += n / 2) out[blockIdx.x * n + i] = halves[from][i];
}

bool program() {
  constexpr int rows = 3;
  std::vector<float2> in(rows * n);
  for (int i = 0; i < rows * n; ++i) in[i] = make_float2(uniform(2 * i) - 0.5f, uniform(2 * i + 1) - 0.5f);
  Buffer<float2> d_in(in), spectrum(rows * n), back(rows * n);
  transform<<<rows, n / 2>>>(d_in, spectrum, -1);
  transform<<<rows, n / 2>>>(spectrum, back, 1);
  const std::vector<float2> got = spectrum.host(), again = back.host();
  bool right = true;
  for (int i = 0; i < rows * n; ++i) {
    double re = 0, im = 0;
    for (int j = 0; j < n; ++j) {
      const double angle = -2 * M_PI * ((i % n) * j % n) / n;
      const float2 x = in[i / n * n + j];
      re += x.x * std::cos(angle) - x.y * std::sin(angle);
      im += x.x * std::sin(angle) + x.y * std::cos(angle);
    }
    right = right && close(got[i].x, re, 1e-4) && close(got[i].y, im, 1e-4) && close(again[i].x / n, in[i].x, 1e-5) &&
            close(again[i].y / n, in[i].y, 1e-5);
  }
  return right;
}
