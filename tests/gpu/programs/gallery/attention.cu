// SPDX-License-Identifier: MIT
// Causal attention of several heads, forward: a warp a query, and the softmax in one pass, rescaled as larger scores
// come.
#include "gallery.h"

constexpr int width = 32;  // of a head: a lane a component

__global__ void attend(const float* q, const float* k, const float* v, float* out, int length) {
  const int lane = threadIdx.x, query = blockIdx.x * blockDim.y + threadIdx.y;
  if (query >= length) return;
  const long head = static_cast<long>(blockIdx.y) * length * width;
  const float mine = q[head + query * width + lane] * rsqrtf(width);
  float greatest = -INFINITY, weight = 0, sum = 0;
  for (int key = 0; key <= query; ++key) {
    float score = mine * k[head + key * width + lane];
    for (int offset = 16; offset > 0; offset /= 2) score += __shfl_xor_sync(~0u, score, offset);
    const float now = fmaxf(greatest, score), rescale = __expf(greatest - now), p = __expf(score - now);
    weight = weight * rescale + p;
    sum = sum * rescale + p * v[head + key * width + lane];
    greatest = now;
  }
  out[head + query * width + lane] = sum / weight;
}

bool program() {
  constexpr int length = 70, heads = 2, n = heads * length * width;
  const std::vector<float> q = uniform_vector(n, 1), k = uniform_vector(n, 100000), v = uniform_vector(n, 200000);
  Buffer<float> d_q(q), d_k(k), d_v(v), out(n);
  attend<<<dim3(blocks_for(length, 4), heads), dim3(32, 4)>>>(d_q, d_k, d_v, out, length);
  std::vector<double> expected(n, 0.0);
  for (int head = 0; head < n; head += length * width)
    for (int i = 0; i < length; ++i) {
      double weight = 0;
      for (int j = 0; j <= i; ++j) {
        double score = 0;
        for (int c = 0; c < width; ++c) score += static_cast<double>(q[head + i * width + c]) * k[head + j * width + c];
        const double p = std::exp(score / std::sqrt(width));
        weight += p;
        for (int c = 0; c < width; ++c) expected[head + i * width + c] += p * v[head + j * width + c];
      }
      for (int c = 0; c < width; ++c) expected[head + i * width + c] /= weight;
    }
  return all_close(out.host(), expected, 1e-5);
}
