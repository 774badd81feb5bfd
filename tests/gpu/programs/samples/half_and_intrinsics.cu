// SPDX-License-Identifier: MIT
// Arithmetic in half and bfloat16, alone and in pairs, against the same in float on the host, whose conversions are
// exact. Loads through __ldg. Bit and byte intrinsics against plain loops.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cmath>
#include <vector>

#include "helper_cuda.h"

__global__ void axpy_half(const __half* x, const __half* y, __half a, __half* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hfma(a, __ldg(&x[i]), __ldg(&y[i]));
}

/// Sum of x[i] * y[i] in pairs, one partial sum a warp.
__global__ void dot_half2(const __half2* x, const __half2* y, float* sums, int pairs) {
  float sum = 0;
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    const __half2 product = __hmul2(x[i], y[i]);
    const float2 wide = __half22float2(product);
    sum += wide.x + wide.y;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum;
}

__global__ void pairs_of_half(const __half2* x, __half2* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const __half2 v = x[i];
  out[i] = __hadd2(__hsub2(v, __half2half2(__float2half(0.5f))), __lowhigh2highlow(v));
  if (__hgt(__low2half(v), __high2half(v))) out[i] = __hneg2(out[i]);
}

__global__ void bfloat_polynomial(const float* x, __nv_bfloat16* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const __nv_bfloat16 v = __float2bfloat16(x[i]);
  out[i] = __float2bfloat16(__bfloat162float(v) * __bfloat162float(v) + 1.0f);
}

__global__ void bfloat_pairs(const __nv_bfloat162* x, __nv_bfloat162* out) {
  const __nv_bfloat162 v = x[threadIdx.x];
  const __nv_bfloat162 sum = __hadd2(v, __lowhigh2highlow(v));
  out[threadIdx.x] = __hfma2(sum, __float2bfloat162_rn(2.0f), __hmax2(v, __float2bfloat162_rn(0.0f)));
}

struct Bits {
  int population, leading, first;
  unsigned reversed, bytes, funnel, high_product, difference, average, extremes;
  unsigned long long reversed64;
  int population64;
  float as_float, fast_divide;
};

__global__ void bits(const unsigned* in, Bits* out) {
  const int i = threadIdx.x;
  const unsigned v = __ldg(in + i), w = __ldg(in + (i + 1) % blockDim.x);
  Bits b;
  b.population = __popc(v);
  b.leading = __clz(static_cast<int>(v));
  b.first = __ffs(static_cast<int>(v));
  b.reversed = __brev(v);
  b.bytes = __byte_perm(v, w, 0x5140);
  b.funnel = __funnelshift_l(v, w, i);
  b.high_product = __umulhi(v, w);
  b.difference = __usad(v, w, 1);
  b.average = __uhadd(v, w);
  b.extremes = max(v, w) - min(v, w);
  b.reversed64 = __brevll((static_cast<unsigned long long>(v) << 32) | w);
  b.population64 = __popcll((static_cast<unsigned long long>(v) << 32) | w);
  b.as_float = __uint2float_rn(v);
  b.fast_divide = __fdividef(static_cast<float>(v % 1000), 8.0f);
  out[i] = b;
}

template <typename T>
T* managed(std::size_t count) {
  T* p = nullptr;
  checkCudaErrors(cudaMallocManaged(&p, count * sizeof(T)));
  return p;
}

bool halves() {
  constexpr int n = 1000;
  auto* x = managed<__half>(n);
  auto* y = managed<__half>(n);
  auto* out = managed<__half>(n);
  auto* sums = managed<float>(4);
  for (int i = 0; i < n; ++i) {
    x[i] = __float2half(static_cast<float>(i % 61) / 8.0f);
    y[i] = __float2half(static_cast<float>(i % 37) - 18.0f);
  }
  axpy_half<<<8, 128>>>(x, y, __float2half(0.375f), out, n);
  dot_half2<<<1, 128>>>(reinterpret_cast<const __half2*>(x), reinterpret_cast<const __half2*>(y), sums, n / 2);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = true;
  double dot = 0, magnitude = 0;
  for (int i = 0; i < n; ++i) {
    const float xi = __half2float(x[i]), yi = __half2float(y[i]);
    const __half expected = __float2half(0.375f * xi + yi);  // exact in float, so rounded once, as the device does it
    passed = passed && __half2float(out[i]) == __half2float(expected);
    const float product = __half2float(__float2half(xi * yi));
    dot += product;
    magnitude += std::fabs(product);
  }
  const double got = static_cast<double>(sums[0]) + sums[1] + sums[2] + sums[3];
  passed = passed && std::fabs(got - dot) <= 1e-5 * magnitude;

  auto* in2 = managed<__half2>(32);
  auto* out2 = managed<__half2>(32);
  for (int i = 0; i < 32; ++i) in2[i] = __floats2half2_rn(static_cast<float>(i) / 4, static_cast<float>(20 - i));
  pairs_of_half<<<1, 32>>>(in2, out2, 32);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    const float low = static_cast<float>(i) / 4, high = static_cast<float>(20 - i);
    const float sign = low > high ? -1.0f : 1.0f;
    passed = passed && __low2float(out2[i]) == sign * (low - 0.5f + high) &&
             __high2float(out2[i]) == sign * (high - 0.5f + low);
  }
  for (void* p : {static_cast<void*>(x), static_cast<void*>(y), static_cast<void*>(out), static_cast<void*>(sums),
                  static_cast<void*>(in2), static_cast<void*>(out2)}) {
    checkCudaErrors(cudaFree(p));
  }
  return passed;
}

bool bfloats() {
  constexpr int n = 256;
  auto* x = managed<float>(n);
  auto* out = managed<__nv_bfloat16>(n);
  for (int i = 0; i < n; ++i) x[i] = static_cast<float>(i) * 0.37f - 40.0f;
  bfloat_polynomial<<<1, n>>>(x, out, n);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = true;
  for (int i = 0; i < n; ++i) {
    const float v = __bfloat162float(__float2bfloat16(x[i]));
    const float expected = __bfloat162float(__float2bfloat16(v * v + 1.0f));
    // The device may round v * v + 1 once, the host twice: a value next to a tie may fall to the other side.
    passed = passed && std::fabs(__bfloat162float(out[i]) - expected) <= expected / 128;
  }
  checkCudaErrors(cudaFree(x));
  checkCudaErrors(cudaFree(out));

  // Small multiples of a half: every result is exact.
  auto* in2 = managed<__nv_bfloat162>(32);
  auto* out2 = managed<__nv_bfloat162>(32);
  for (int i = 0; i < 32; ++i) in2[i] = __floats2bfloat162_rn(static_cast<float>(i) / 2, static_cast<float>(5 - i));
  bfloat_pairs<<<1, 32>>>(in2, out2);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  for (int i = 0; i < 32; ++i) {
    const float low = static_cast<float>(i) / 2, high = static_cast<float>(5 - i);
    passed = passed && __low2float(out2[i]) == 2 * (low + high) + std::fmax(low, 0.0f) &&
             __high2float(out2[i]) == 2 * (low + high) + std::fmax(high, 0.0f);
  }
  checkCudaErrors(cudaFree(in2));
  checkCudaErrors(cudaFree(out2));
  return passed;
}

int population(unsigned long long v) {
  int count = 0;
  for (; v != 0; v &= v - 1) ++count;
  return count;
}

unsigned long long reverse(unsigned long long v, int width) {
  unsigned long long result = 0;
  for (int i = 0; i < width; ++i) result |= (v >> i & 1) << (width - 1 - i);
  return result;
}

bool intrinsics() {
  constexpr int n = 64;
  auto* in = managed<unsigned>(n);
  auto* out = managed<Bits>(n);
  for (int i = 0; i < n; ++i) in[i] = i == 0 ? 0u : i == 1 ? ~0u : 2654435761u * i ^ (1u << i % 32);
  bits<<<1, n>>>(in, out);
  checkCudaErrors(cudaGetLastError());
  checkCudaErrors(cudaDeviceSynchronize());
  bool passed = true;
  for (int i = 0; i < n; ++i) {
    const unsigned v = in[i], w = in[(i + 1) % n];
    const unsigned long long both = (static_cast<unsigned long long>(v) << 32) | w;
    int leading = 32, first = 0;
    for (int bit = 0; bit < 32; ++bit) {
      if ((v >> bit & 1) != 0) leading = 31 - bit;
      if ((v >> bit & 1) != 0 && first == 0) first = bit + 1;
    }
    const unsigned bytes = (v & 0xff) | (w & 0xff) << 8 | (v >> 8 & 0xff) << 16 | (w >> 8 & 0xff) << 24;
    const unsigned long long funnel = (static_cast<unsigned long long>(w) << 32 | v) << i % 32;
    const Bits& b = out[i];
    passed = passed && b.population == population(v) && b.leading == leading && b.first == first &&
             b.reversed == static_cast<unsigned>(reverse(v, 32)) && b.bytes == bytes &&
             b.funnel == static_cast<unsigned>(funnel >> 32) &&
             b.high_product == static_cast<unsigned>(static_cast<unsigned long long>(v) * w >> 32) &&
             b.difference == (v > w ? v - w : w - v) + 1 &&
             b.average == static_cast<unsigned>((static_cast<unsigned long long>(v) + w) >> 1) &&
             b.extremes == (v > w ? v - w : w - v) && b.reversed64 == reverse(both, 64) &&
             b.population64 == population(both) && b.as_float == static_cast<float>(v) &&
             b.fast_divide == static_cast<float>(v % 1000) / 8.0f;
  }
  checkCudaErrors(cudaFree(in));
  checkCudaErrors(cudaFree(out));
  return passed;
}

int main() {
  const bool half_passed = halves(), bfloat_passed = bfloats(), bits_passed = intrinsics();
  std::printf("half %d, bfloat16 %d, intrinsics %d\n", half_passed, bfloat_passed, bits_passed);
  return finish("half_and_intrinsics", half_passed && bfloat_passed && bits_passed);
}
