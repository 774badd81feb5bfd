// SPDX-License-Identifier: MIT
// Generic kernels that take what they do as an argument: device lambdas with captures, functors, variadic templates,
// and types chosen at compile time (nvcc --extended-lambda).
#include <cmath>
#include <type_traits>
#include <vector>

#include "helper_cuda.h"

template <typename F>
__global__ void for_each_index(int n, F f) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <typename F>
void parallel_for(int n, F f) {
  for_each_index<<<(n + 127) / 128, 128>>>(n, f);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
}

template <int block_size, typename In, typename Out, typename Map, typename Combine>
__global__ void map_reduce(const In* in, int n, Out identity, Map map, Combine combine, Out* out) {
  __shared__ Out partial[block_size];
  Out value = identity;
  for (int i = blockIdx.x * block_size + threadIdx.x; i < n; i += gridDim.x * block_size) {
    value = combine(value, map(in[i]));
  }
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int half = block_size / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] = combine(partial[threadIdx.x], partial[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}

struct Range {
  float low, high;
};
struct Widen {
  __host__ __device__ Range operator()(const Range& a, const Range& b) const {
    return {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high};
  }
};

template <typename... Functions>
struct Chain;
template <>
struct Chain<> {
  template <typename T>
  __host__ __device__ T operator()(T x) const {
    return x;
  }
};
template <typename First, typename... Rest>
struct Chain<First, Rest...> {
  First first;
  Chain<Rest...> rest;
  template <typename T>
  __host__ __device__ auto operator()(T x) const {
    return rest(first(x));
  }
};

struct AddOne {
  template <typename T>
  __host__ __device__ T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) {
      return x + T(1);
    } else {
      return x + 1;
    }
  }
};
struct ToDouble {
  template <typename T>
  __host__ __device__ double operator()(T x) const {
    return static_cast<double>(x);
  }
};
struct Power {
  int exponent;
  template <typename T>
  __host__ __device__ T operator()(T x) const {
    T result = 1;
    for (int i = 0; i < exponent; ++i) result *= x;
    return result;
  }
};

int main() {
  constexpr int n = 10000;
  float *x = nullptr, *y = nullptr;
  double* z = nullptr;
  checkCudaErrors(cudaMallocManaged(&x, n * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&y, n * sizeof(float)));
  checkCudaErrors(cudaMallocManaged(&z, n * sizeof(double)));
  const float a = 2.5f;
  parallel_for(n, [=] __device__(int i) {
    x[i] = static_cast<float>(i % 977) - 300.0f;
    y[i] = 1.0f;
  });
  parallel_for(n, [=] __host__ __device__(int i) { y[i] = a * x[i] + y[i]; });
  bool passed = true;
  for (int i = 0; i < n; ++i) passed = passed && y[i] == 2.5f * (static_cast<float>(i % 977) - 300.0f) + 1.0f;

  constexpr int grid = 8, block = 128;
  Range* ranges = nullptr;
  checkCudaErrors(cudaMallocManaged(&ranges, grid * sizeof(Range)));
  map_reduce<block><<<grid, block>>>(
      y, n, Range{INFINITY, -INFINITY},
      [] __device__(float v) {
        return Range{v, v};
      },
      Widen{}, ranges);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  Range got{INFINITY, -INFINITY}, expected = got;
  for (int i = 0; i < grid; ++i) got = Widen{}(got, ranges[i]);
  for (int i = 0; i < n; ++i) expected = Widen{}(expected, Range{y[i], y[i]});
  passed = passed && got.low == expected.low && got.high == expected.high;

  const Chain<AddOne, ToDouble, Power> chain{AddOne{}, {ToDouble{}, {Power{3}, {}}}};
  parallel_for(n, [=] __device__(int i) { z[i] = chain(i); });
  for (int i = 0; i < n; ++i) passed = passed && z[i] == chain(i);

  checkCudaErrors(cudaFree(x));
  checkCudaErrors(cudaFree(y));
  checkCudaErrors(cudaFree(z));
  checkCudaErrors(cudaFree(ranges));
  return finish("lambdas_and_functors", passed);
}
