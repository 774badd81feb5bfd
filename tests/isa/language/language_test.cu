// SPDX-License-Identifier: MIT
// CUDA C++ as a course uses it, compiled by nvcc with and without -G and run on the simulator or a GPU. The tests of
// single PTX instructions are in tests/isa/ptx. Here it is what the compiler makes of whole features.
#include <cooperative_groups.h>
#include <gtest/gtest.h>

#include <cassert>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "workbook/student/cuda_check.h"

namespace cg = cooperative_groups;

namespace {

/// `count` values of T in memory that host and device share, so that a test reads like its kernel.
template <class T>
struct Shared {
  explicit Shared(std::size_t count) : size(count) {
    CUDA_CHECK(cudaMallocManaged(&data, count * sizeof(T)));
    std::memset(static_cast<void*>(data), 0, count * sizeof(T));
  }
  ~Shared() { cudaFree(data); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  T& operator[](std::size_t i) { return data[i]; }
  T* data = nullptr;
  std::size_t size;
};

void finish() {
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaDeviceSynchronize());
}

/// Built for three architectures: a GPU that is older than one of them skips that program.
__global__ void nothing() {}
struct ThisDeviceCanRunIt : testing::Environment {
  void SetUp() override {
    cudaFuncAttributes attributes;
    const cudaError_t status = cudaFuncGetAttributes(&attributes, nothing);
    if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction)
      GTEST_SKIP() << "this program is for newer devices";
  }
};
const auto* const environment = testing::AddGlobalTestEnvironment(new ThisDeviceCanRunIt);

// --- constant and device variables ---------------------------------------------------------------------------------
__constant__ float table[4] = {1.0f, 2.0f, 4.0f, 8.0f};
__device__ int counter = 40;
__device__ int* pointer_to_counter = &counter;

__global__ void use_variables(float* out) {
  out[threadIdx.x] = table[threadIdx.x % 4];
  if (threadIdx.x == 0) *pointer_to_counter += 2;
}

TEST(Language, ConstantAndDeviceVariables) {
  Shared<float> out(8);
  use_variables<<<1, 8>>>(out.data);
  finish();
  EXPECT_EQ(out[3], 8.0f);
  EXPECT_EQ(out[5], 2.0f);
  int value = 0;
  CUDA_CHECK(cudaMemcpyFromSymbol(&value, counter, sizeof value));
  EXPECT_EQ(value, 42);
  const float other[4] = {5, 6, 7, 8};
  CUDA_CHECK(cudaMemcpyToSymbol(table, other, sizeof other));
  use_variables<<<1, 8>>>(out.data);
  finish();
  EXPECT_EQ(out[4], 5.0f);
}

// --- classes, virtual functions, templates, lambdas ----------------------------------------------------------------
struct Shape {
  __device__ virtual ~Shape() {}
  __device__ virtual int area() const = 0;
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Rectangle : Shape {
  int width, height;
  __device__ Rectangle(int w, int h) : width(w), height(h) {}
  __device__ int area() const override { return width * height; }
};

__global__ void areas(int* out) {
  Square square(threadIdx.x);
  Rectangle rectangle(threadIdx.x, 10);
  const Shape* shape = threadIdx.x % 2 == 0 ? static_cast<const Shape*>(&square) : &rectangle;
  out[threadIdx.x] = shape->area();
}

TEST(Language, VirtualFunctionsThatDifferByLane) {
  Shared<int> out(32);
  areas<<<1, 32>>>(out.data);
  finish();
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[i], i % 2 == 0 ? i * i : i * 10) << i;
}

template <unsigned factor, class Operation>
__global__ void fold(const int* in, int* out, Operation operation) {
  int value = in[threadIdx.x];
#pragma unroll
  for (unsigned i = 1; i < factor; ++i) value = operation(value, in[i * blockDim.x + threadIdx.x]);
  out[threadIdx.x] = value;
}
struct Add {
  __device__ int operator()(int a, int b) const { return a + b; }
};
struct Scaled {
  int scale;
  __device__ int operator()(int a, int b) const { return a * scale + b; }
};

TEST(Language, TemplatesAndFunctors) {
  Shared<int> in(128), out(32);
  for (int i = 0; i < 128; ++i) in[static_cast<std::size_t>(i)] = i;
  fold<4><<<1, 32>>>(in.data, out.data, Add{});
  finish();
  EXPECT_EQ(out[1], 1 + 33 + 65 + 97);
  fold<3><<<1, 32>>>(in.data, out.data, Scaled{10});
  finish();
  EXPECT_EQ(out[2], (2 * 10 + 34) * 10 + 66);
}

// --- calls ---------------------------------------------------------------------------------------------------------
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recurse(int* out) { out[threadIdx.x] = fibonacci(static_cast<int>(threadIdx.x)); }

TEST(Language, Recursion) {
  Shared<int> out(16);
  recurse<<<1, 16>>>(out.data);
  finish();
  EXPECT_EQ(out[10], 55);
  EXPECT_EQ(out[15], 610);
}

__device__ __noinline__ float twice(float x) { return 2 * x; }
__device__ __noinline__ float square(float x) { return x * x; }
__device__ __noinline__ float halve(float x) { return x / 2; }
using Function = float (*)(float);
__device__ Function functions[3] = {twice, square, halve};
__global__ void call_through_pointers(float* out) {
  out[threadIdx.x] = functions[threadIdx.x % 3](static_cast<float>(threadIdx.x));
}

TEST(Language, FunctionPointersThatDifferByLane) {
  Shared<float> out(32);
  call_through_pointers<<<1, 32>>>(out.data);
  finish();
  EXPECT_EQ(out[3], 6.0f);
  EXPECT_EQ(out[4], 16.0f);
  EXPECT_EQ(out[5], 2.5f);
}

struct Big {
  int values[20];
  double weight;
};
__device__ __noinline__ Big shifted(Big big, int by) {
  for (int& value : big.values) value += by;
  big.weight *= 2;
  return big;
}
__global__ void pass_structures(Big big, Big* out) { out[threadIdx.x] = shifted(big, static_cast<int>(threadIdx.x)); }

TEST(Language, StructuresByValue) {
  Shared<Big> out(4);
  Big big{};
  for (int i = 0; i < 20; ++i) big.values[i] = 100 * i;
  big.weight = 1.25;
  pass_structures<<<1, 4>>>(big, out.data);
  finish();
  EXPECT_EQ(out[3].values[19], 1903);
  EXPECT_EQ(out[2].weight, 2.5);
}

// --- control flow, local arrays, mathematics -----------------------------------------------------------------------
__global__ void collatz(int* out) {
  int lengths[8];
  for (int k = 0; k < 8; ++k) {
    long long n = static_cast<int>(threadIdx.x) * 8 + k + 1;
    int steps = 0;
    while (n != 1) {
      n = n % 2 == 0 ? n / 2 : 3 * n + 1;
      ++steps;
      if (steps > 1000) break;
    }
    lengths[(k * 3) % 8] = steps;
  }
  int most = 0;
  for (int length : lengths) most = length > most ? length : most;
  out[threadIdx.x] = most;
}

TEST(Language, LoopsOfDifferentLengthAndLocalArrays) {
  Shared<int> out(64);
  collatz<<<1, 64>>>(out.data);
  finish();
  for (int t = 0; t < 64; ++t) {
    int most = 0;
    for (int k = 0; k < 8; ++k) {
      int steps = 0;
      for (long long n = t * 8 + k + 1; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
      most = std::max(most, steps);
    }
    EXPECT_EQ(out[static_cast<std::size_t>(t)], most) << t;
  }
}

__global__ void choose(int* out) {
  int value = 0;
  switch (threadIdx.x % 7) {
    case 0:
      value = 11;
      break;
    case 1:
      value = 22;
      [[fallthrough]];
    case 2:
      value += 33;
      break;
    case 3:
      return;
    case 5:
      value = 55;
      break;
    default:
      value = -1;
  }
  out[threadIdx.x] = value;
}

TEST(Language, Switch) {
  Shared<int> out(32);
  choose<<<1, 32>>>(out.data);
  finish();
  const int expected[7] = {11, 55, 33, 0, -1, 55, -1};
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(out[i], expected[i % 7]) << i;
}

__global__ void mathematics(float x, double y, double* out) {
  out[0] = sqrtf(x);
  out[1] = x / 3.0f;
  out[2] = fmaf(x, x, -x);
  out[3] = sqrt(y);
  out[4] = sin(y);
  out[5] = expf(x);
  out[6] = powf(x, 1.5f);
  out[7] = static_cast<double>(__popc(0xf0f0u) + __clz(256) + __ffs(8));
  out[8] = floor(-2.5) + rint(2.5) + fmod(7.5, 2.0);
}

TEST(Language, Mathematics) {
  Shared<double> out(9);
  mathematics<<<1, 1>>>(2.0f, 2.0, out.data);
  finish();
  EXPECT_EQ(out[0], std::sqrt(2.0f));
  EXPECT_EQ(out[1], 2.0f / 3.0f);
  EXPECT_EQ(out[2], 2.0);
  EXPECT_EQ(out[3], std::sqrt(2.0));
  EXPECT_NEAR(out[4], std::sin(2.0), 2e-16);
  EXPECT_NEAR(out[5], std::exp(2.0), 2e-6);
  EXPECT_NEAR(out[6], std::pow(2.0, 1.5), 1e-6);
  EXPECT_EQ(out[7], 8 + 23 + 4);
  EXPECT_EQ(out[8], -3.0 + 2.0 + 1.5);
}

// --- shared memory, atomics, warps, groups -------------------------------------------------------------------------
__global__ void histogram(const unsigned char* in, int n, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < n;
       i += static_cast<int>(gridDim.x * blockDim.x))
    atomicAdd(&bins[in[i] % 16], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

TEST(Language, HistogramWithAtomics) {
  constexpr int n = 100'000;
  Shared<unsigned char> in(n);
  Shared<int> out(16);
  int expected[16] = {};
  for (int i = 0; i < n; ++i)
    ++expected[(in[static_cast<std::size_t>(i)] = static_cast<unsigned char>(i * 7 % 251)) % 16];
  histogram<<<8, 128>>>(in.data, n, out.data);
  finish();
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(out[i], expected[i]) << i;
}

__global__ void warp_functions(int* out) {
  const unsigned lane = threadIdx.x % 32;
  int sum = static_cast<int>(lane);
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  const unsigned odd = __ballot_sync(0xffffffffu, lane % 2);
  const bool all = __all_sync(0xffffffffu, sum == 496);
  out[threadIdx.x] = sum + (all ? 1000 : 0) + static_cast<int>(__popc(odd)) * 10000;
}

TEST(Language, WarpFunctions) {
  Shared<int> out(64);
  warp_functions<<<1, 64>>>(out.data);
  finish();
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(out[i], 161496) << i;
}

__global__ void tiles(int* out) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  int sum = static_cast<int>(threadIdx.x);
  for (unsigned offset = tile.size() / 2; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  sum = tile.shfl(sum, 0);
  if (threadIdx.x % 3 == 0) {
    const auto active = cg::coalesced_threads();
    sum += static_cast<int>(active.size()) * 1000;
  }
  block.sync();
  out[threadIdx.x] = sum;
}

TEST(Language, TiledAndCoalescedGroups) {
  Shared<int> out(32);
  tiles<<<1, 32>>>(out.data);
  finish();
  for (int i = 0; i < 32; ++i) {
    const int first = i / 8 * 8;
    EXPECT_EQ(out[static_cast<std::size_t>(i)], first * 8 + 28 + (i % 3 == 0 ? 11000 : 0)) << i;
  }
}

__global__ void wide_tiles(int* out) {
  __shared__ cg::block_tile_memory<128> scratch;
  const auto block = cg::this_thread_block(scratch);
  const auto tile = cg::tiled_partition<64>(block);
  const int value = static_cast<int>(threadIdx.x * threadIdx.x);
  const int from = tile.shfl(value, 37);
  tile.sync();
  out[threadIdx.x] = from + (tile.any(threadIdx.x == 70) ? 100000 : 0) + static_cast<int>(tile.meta_group_rank());
}

TEST(Language, TilesOfTwoWarps) {
  Shared<int> out(128);
  wide_tiles<<<1, 128>>>(out.data);
  finish();
  for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(out[i], i < 64 ? 37 * 37 : 101 * 101 + 100001) << i;
}

__global__ void sum_over_grid(int* partial, int* out) {
  const auto grid = cg::this_grid();
  if (threadIdx.x == 0) partial[blockIdx.x] = static_cast<int>(blockIdx.x) + 1;
  grid.sync();
  if (grid.thread_rank() == 0) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += partial[b];
    *out = sum;
  }
  grid.sync();
  partial[blockIdx.x] = *out;
}

TEST(Language, GridSync) {
  constexpr unsigned blocks = 40;
  Shared<int> partial(blocks), out(1);
  void* arguments[] = {&partial.data, &out.data};
  CUDA_CHECK(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sum_over_grid), dim3(blocks), dim3(64),
                                         arguments, 0, nullptr));
  finish();
  EXPECT_EQ(out[0], 820);
  for (unsigned b = 0; b < blocks; ++b) EXPECT_EQ(partial[b], 820);
}

__device__ int lock = 0;
__global__ void locked_increments(int* value) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence();
      *static_cast<volatile int*>(value) = *static_cast<volatile int*>(value) + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
}

TEST(Language, ALockThatEveryThreadTakes) {
  Shared<int> value(1);
  locked_increments<<<4, 64>>>(value.data);
  finish();
  EXPECT_EQ(value[0], 256);
}

// --- output --------------------------------------------------------------------------------------------------------
__global__ void say(const char* who) {
  printf("hello %s from %d: %5.2f %s\n", who, static_cast<int>(threadIdx.x), 1.5, threadIdx.x == 0 ? "first" : "other");
}

TEST(Language, Printf) {
  Shared<char> who(8);
  std::strcpy(who.data, "you");
  testing::internal::CaptureStdout();
  say<<<1, 2>>>(who.data);
  finish();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "hello you from 0:  1.50 first\nhello you from 1:  1.50 other\n");
}

__global__ void allocate(int* out) {
  int* own = static_cast<int*>(malloc(16 * sizeof(int)));
  for (int i = 0; i < 16; ++i) own[i] = i * static_cast<int>(threadIdx.x);
  out[threadIdx.x] = own[15];
  free(own);
}

TEST(Language, MallocInAKernel) {
  Shared<int> out(32);
  allocate<<<1, 32>>>(out.data);
  finish();
  EXPECT_EQ(out[2], 30);
  EXPECT_EQ(out[31], 465);
}

}  // namespace
