// SPDX-License-Identifier: MIT
// Monte Carlo: pi by throwing darts and the price of an option, with a small random generator of its own. Kernels print
// and assert, and some arithmetic is that of long long, double and the mathematical functions.
#include <cassert>
#include <cmath>
#include <vector>

#include "helper_cuda.h"

struct Random {
  unsigned x, y, z, w;
  __host__ __device__ explicit Random(unsigned seed)
      : x(seed * 747796405u + 1), y(362436069u), z(521288629u), w(88675123u) {
    for (int i = 0; i < 8; ++i) next();
  }
  __host__ __device__ unsigned next() {
    const unsigned t = x ^ (x << 11);
    x = y;
    y = z;
    z = w;
    return w = w ^ (w >> 19) ^ t ^ (t >> 8);
  }
  /// In (0, 1).
  __host__ __device__ float uniform() { return (static_cast<float>(next() >> 8) + 0.5f) / 16777216.0f; }
};

/// Exact: a coordinate has 25 bits.
__host__ __device__ bool is_hit(double x, double y) { return x * x + y * y <= 1; }

__global__ void throw_darts(int throws_a_thread, unsigned long long* hits) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  Random random(thread);
  unsigned mine = 0;
  for (int i = 0; i < throws_a_thread; ++i) {
    const float x = random.uniform(), y = random.uniform();
    assert(x > 0 && x < 1 && y > 0 && y < 1);
    mine += is_hit(x, y);
  }
  for (int offset = 16; offset > 0; offset /= 2) mine += __shfl_down_sync(0xffffffffu, mine, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(hits, static_cast<unsigned long long>(mine));
  if (thread == 0) printf("thread %u of %d: %s, first hits %u\n", thread, gridDim.x * blockDim.x, "done", mine);
}

struct Option {
  float spot, strike, rate, volatility, years;
};

__global__ void price(Option option, int paths_a_thread, double* sum, double* sum_of_squares) {
  Random random(1000 + blockIdx.x * blockDim.x + threadIdx.x);
  const float drift = (option.rate - 0.5f * option.volatility * option.volatility) * option.years;
  const float spread = option.volatility * sqrtf(option.years);
  double mine = 0, squares = 0;
  for (int i = 0; i < paths_a_thread; ++i) {
    // Box and Muller.
    const float radius = sqrtf(-2.0f * logf(random.uniform()));
    float sine = 0, cosine = 0;
    sincospif(2.0f * random.uniform(), &sine, &cosine);
    for (const float normal : {radius * sine, radius * cosine}) {
      const float final_price = option.spot * expf(drift + spread * normal);
      const double gain = fmaxf(final_price - option.strike, 0.0f);
      mine += gain;
      squares += gain * gain;
    }
  }
  atomicAdd(sum, mine);
  atomicAdd(sum_of_squares, squares);
}

bool darts_test() {
  constexpr int blocks = 8, threads = 128, throws_a_thread = 500;
  unsigned long long *d_hits = nullptr, hits = 0, expected = 0;
  checkCudaErrors(cudaMalloc(&d_hits, sizeof hits));
  checkCudaErrors(cudaMemset(d_hits, 0, sizeof hits));
  throw_darts<<<blocks, threads>>>(throws_a_thread, d_hits);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(&hits, d_hits, sizeof hits, cudaMemcpyDeviceToHost));
  for (unsigned thread = 0; thread < blocks * threads; ++thread) {
    Random random(thread);
    for (int i = 0; i < throws_a_thread; ++i) {
      const float x = random.uniform(), y = random.uniform();
      expected += is_hit(x, y);
    }
  }
  const double pi = 4.0 * static_cast<double>(hits) / (blocks * threads * throws_a_thread);
  std::printf("pi is about %.4f\n", pi);
  checkCudaErrors(cudaFree(d_hits));
  return hits == expected && std::fabs(pi - 3.14159265) < 0.01;
}

double normal_distribution(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

bool option_test() {
  constexpr int blocks = 16, threads = 128, paths_a_thread = 16;
  const Option option{100, 105, 0.03f, 0.2f, 1.0f};
  double *d_sums = nullptr, sums[2] = {};
  checkCudaErrors(cudaMalloc(&d_sums, sizeof sums));
  checkCudaErrors(cudaMemset(d_sums, 0, sizeof sums));
  price<<<blocks, threads>>>(option, paths_a_thread, d_sums, d_sums + 1);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  const double paths = 2.0 * blocks * threads * paths_a_thread;
  const double discount = std::exp(-option.rate * option.years);
  const double mean = sums[0] / paths;
  const double deviation = std::sqrt((sums[1] / paths - mean * mean) / paths) * discount;
  // Black and Scholes give the exact price.
  const double spread = option.volatility * std::sqrt(option.years);
  const double d1 = (std::log(option.spot / option.strike) +
                     (option.rate + 0.5 * option.volatility * option.volatility) * option.years) /
                    spread;
  const double exact =
      option.spot * normal_distribution(d1) - option.strike * discount * normal_distribution(d1 - spread);
  std::printf("option: %.4f +- %.4f, exactly %.4f\n", mean * discount, deviation, exact);
  checkCudaErrors(cudaFree(d_sums));
  return std::fabs(mean * discount - exact) < 4 * deviation;
}

int main() {
  const bool darts = darts_test();
  const bool option = option_test();
  return finish("monte_carlo", darts && option);
}
