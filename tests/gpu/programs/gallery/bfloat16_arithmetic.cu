// SPDX-License-Identifier: MIT
// Sums and products in bfloat16 and in half, alone and in pairs, never fused but where it says so. They have the same
// bits as the host's functions of the same names.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "gallery.h"

__global__ void compute(const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_bfloat16 a = __float2bfloat16(x[i]), b = __float2bfloat16(y[i]);
  out[4 * i] = __bfloat162float(__hadd_rn(__hmul_rn(a, b), a));
  const __nv_bfloat162 pair =
      __hfma2(__bfloat162bfloat162(a), __floats2bfloat162_rn(y[i], x[i]), __bfloat162bfloat162(b));
  out[4 * i + 1] = __low2float(pair) - __high2float(pair);
  const __half h = __float2half(x[i]), k = __float2half(y[i]);
  out[4 * i + 2] = __half2float(__hsub_rn(__hmul_rn(h, k), k));
  out[4 * i + 3] = static_cast<float>(__hlt(h, k)) + static_cast<float>(__hgt(a, b));
}

bool program() {
  constexpr int n = 1000;
  const std::vector<float> x = uniform_vector(n, 3), y = uniform_vector(n, 4000);
  std::vector<float> expected(4 * n);
  const auto bf = [](float f) { return __bfloat162float(__float2bfloat16(f)); };
  const auto half = [](float f) { return __half2float(__float2half(f)); };
  for (int i = 0; i < n; ++i) {
    const float a = bf(x[i]), b = bf(y[i]), h = half(x[i]), k = half(y[i]);
    expected[4 * i] = bf(bf(a * b) + a);
    // Products of two bfloat16 are exact in float, and a double holds the sum before it is rounded once.
    const auto fma = [&](float p, float q, float r) { return bf(static_cast<float>(static_cast<double>(p) * q + r)); };
    expected[4 * i + 1] = fma(a, b, b) - fma(a, a, b);
    expected[4 * i + 2] = half(half(h * k) - k);
    expected[4 * i + 3] = static_cast<float>(h < k) + static_cast<float>(a > b);
  }
  Buffer<float> d_x(x), d_y(y), out(4 * n);
  compute<<<blocks_for(n, 128), 128>>>(d_x, d_y, out, n);
  return out.host() == expected;
}
