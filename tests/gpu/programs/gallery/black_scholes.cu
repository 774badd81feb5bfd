// SPDX-License-Identifier: MIT
// Prices of options after Black and Scholes: logarithm, exponential, error function and square root of the device.
#include "gallery.h"

struct Prices {
  float call, put;
};

template <class Real>
__host__ __device__ void price(Real spot, Real strike, Real years, Real& call, Real& put) {
  constexpr Real rate = Real(0.02), volatility = Real(0.3), half = Real(0.5), root_of_half = Real(0.70710678118654752);
  const Real spread = volatility * sqrt(years);
  const Real d1 = (log(spot / strike) + (rate + half * volatility * volatility) * years) / spread, d2 = d1 - spread;
  const Real discounted = strike * exp(-rate * years);
  call = half * (spot * erfc(-d1 * root_of_half) - discounted * erfc(-d2 * root_of_half));
  put = call + discounted - spot;
}

__global__ void price_all(const float3* options, Prices* prices, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Prices result;
  price<float>(options[i].x, options[i].y, options[i].z, result.call, result.put);
  prices[i] = result;
}

bool program() {
  constexpr int n = 1000;
  std::vector<float3> options(n);
  for (int i = 0; i < n; ++i)
    options[i] = make_float3(5 + 25 * uniform(3 * i), 5 + 25 * uniform(3 * i + 1), 0.25f + 4 * uniform(3 * i + 2));
  Buffer<float3> d_options(options);
  Buffer<Prices> prices(n);
  price_all<<<blocks_for(n, 128), 128>>>(d_options, prices, n);
  const std::vector<Prices> got = prices.host();
  for (int i = 0; i < n; ++i) {
    double call = 0, put = 0;
    price<double>(options[i].x, options[i].y, options[i].z, call, put);
    if (!close(got[i].call, call, 2e-5) || !close(got[i].put, put, 2e-5)) return false;
  }
  return true;
}
