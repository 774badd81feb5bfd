// SPDX-License-Identifier: MIT
// Kernels whose limit is a unit that the others use little: division, special functions, double precision, tensor
// cores, scattered atomics, chains of loads. They are only timed.
#include <cuda_fp16.h>
#include <mma.h>

#include "ordinary.h"
#include "workbook/student/cuda_check.h"

namespace ordinary {
namespace {

constexpr int block = 256;

__global__ void greatest_divisors(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = in[i] + 1, b = in[i ^ 1] + 2;
  while (b != 0) {
    const unsigned rest = a % b;
    a = b;
    b = rest;
  }
  out[i] = a;
}

__global__ void digit_sums(const unsigned* in, unsigned* out, unsigned base) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = in[i], sum = 0;
  for (int digit = 0; digit < 10; ++digit) {
    sum += value % base;
    value /= base;
  }
  out[i] = sum;
}

__global__ void waves(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  float sum = 0.0f;
  for (int k = 1; k <= 8; ++k) sum += __sinf(k * x) * __cosf(k * x + 0.5f);
  out[i] = sum + powf(x, 1.7f);
}

__global__ void double_roots(const double* in, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const double x = in[i] + 0.5;
  double root = 1.0;
  for (int k = 0; k < 6; ++k) root = 0.5 * (root + x / root);
  out[i] = root + exp(-x);
}

/// Keys that differ by the fewest bits, among 512 that all blocks read.
__global__ void hamming(const unsigned long long* in, const unsigned long long* table, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned long long key = in[i];
  int least = 64;
  for (int k = 0; k < 512; ++k) least = min(least, __popcll(key ^ table[k]));
  out[i] = least;
}

__global__ void scattered_counts(const unsigned* in, unsigned* bins) {
  atomicAdd(&bins[in[blockIdx.x * blockDim.x + threadIdx.x]], 1u);
}

/// The largest number of each bin, as floats have no atomicMax.
__global__ void largest_by_swap(const float* in, const unsigned* bin_of, unsigned* bins) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i];
  unsigned* bin = bins + bin_of[i];
  unsigned old = *bin;
  while (x > __uint_as_float(old)) {
    const unsigned seen = old;
    old = atomicCAS(bin, seen, __float_as_uint(x));
    if (old == seen) break;
  }
}

/// Each thread follows its own list.
__global__ void follow_lists(const unsigned* next, unsigned* out, int steps) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = 0; i < steps; ++i) at = next[at];
  out[blockIdx.x * blockDim.x + threadIdx.x] = at;
}

__global__ void sieve(unsigned char* composite, int first_of_step, int n) {
  const int step = first_of_step + blockIdx.x;
  for (int i = step * (2 + threadIdx.x); i < n; i += step * blockDim.x) composite[i] = 1;
}

/// A warp has 16 x 16 results, from tensor cores.
__global__ void matmul_fragments(const __half* a, const __half* b, float* c, int n) {
  using namespace nvcuda;
  const int warp = threadIdx.x / 32, row = blockIdx.y * 32 + warp / 2 * 16, column = blockIdx.x * 32 + warp % 2 * 16;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> right;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fill_fragment(sum, 0.0f);
  for (int k = 0; k < n; k += 16) {
    wmma::load_matrix_sync(left, a + row * n + k, n);
    wmma::load_matrix_sync(right, b + k * n + column, n);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(c + row * n + column, sum, n, wmma::mem_row_major);
}

__global__ void to_half(const float* in, __half* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __float2half(in[i]);
}

/// Numbers of 64 bits from a generator (xorshift).
__global__ void generate(unsigned long long* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long state = 88172645463325252ull + i;
  for (int k = 0; k < rounds; ++k) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    state *= 2685821657736338717ull;
  }
  out[i] = state;
}

}  // namespace

void exercises() {
  if (!is_timed()) return;
  const float* in = floats(1 << 24);
  float* out = zeros<float>(1 << 24);
  const unsigned* numbers = words(1 << 22, 1u << 30);
  unsigned* results = zeros<unsigned>(1 << 24);
  launch("greatest divisors", [=] { greatest_divisors<<<2048, block>>>(numbers, results); });
  const unsigned base = 10;
  launch("digit sums", [=] { digit_sums<<<8192, block>>>(numbers, results, base); });
  launch("waves", [=] { waves<<<16384, block>>>(in, out); });
  const double* wide = doubles(1 << 20);
  double* wide_out = zeros<double>(1 << 20);
  launch("double roots", [=] { double_roots<<<4096, block>>>(wide, wide_out); });
  const auto keys = reinterpret_cast<const unsigned long long*>(numbers);
  launch("hamming", [=] { hamming<<<1024, block>>>(keys, keys + 4096, results); });
  int n = pick(0, 1 << 22, 1 << 22);
  const unsigned* scattered = words(n, pick(0, 1 << 23, 1 << 14));
  launch("scattered counts", [=] { scattered_counts<<<n / block, block>>>(scattered, results); });
  launch(
      "largest by swap", [=] { largest_by_swap<<<4096, block>>>(in, scattered, results); },
      [=] { CUDA_CHECK(cudaMemsetAsync(results, 0, 4 << 23)); });
  const unsigned* next = words(1 << 22, 1 << 22);
  n = pick(0, 128, 1024);
  const int steps = pick(0, 256, 64);
  launch("follow lists", [=] { follow_lists<<<n, 128>>>(next, results, steps); });
  unsigned char* composite = zeros<unsigned char>(1 << 22);
  launch("sieve", [=] { sieve<<<1000, block>>>(composite, 2, 1 << 22); });
  const auto halves = reinterpret_cast<__half*>(out);
  launch("to half", [=] { to_half<<<32768, block>>>(in, halves); });
  n = 512;
  const auto product = reinterpret_cast<float*>(results);
  launch("matmul fragments",
         [=] { matmul_fragments<<<dim3(n / 32, n / 32), 128>>>(halves, halves + n * n, product, n); });
  const auto generated = reinterpret_cast<unsigned long long*>(results);
  launch("generate", [=] { generate<<<4096, block>>>(generated, 64); });
}

}  // namespace ordinary
