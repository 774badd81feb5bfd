// SPDX-License-Identifier: MIT
// Products of fragments a cycle, by shape. This file is compiled for compute capability 8.0, which has the shapes.
#include "calibrate/results.h"

namespace calibrate {
namespace {

struct Tf32K8 {
  static __device__ void apply(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct Tf32K4 {
  static __device__ void apply(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};
struct HalfK16 {
  static __device__ void apply(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};
struct HalfK8 {
  static __device__ void apply(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]));
  }
};
struct Bf16K16 {
  static __device__ void apply(float (&c)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

template <class Product, int chains>
__global__ void __launch_bounds__(512) multiply(float* out, unsigned bits, int rounds, long long* cycles) {
  float c[chains][4] = {};
  const unsigned a[4] = {bits, bits ^ threadIdx.x, bits, bits}, b[2] = {bits, bits ^ threadIdx.x};
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int k = 0; k < chains; ++k) Product::apply(c[k], a, b);
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  if (rounds < 0)
    for (int k = 0; k < chains; ++k) out[threadIdx.x * chains + k] = c[k][0] + c[k][1] + c[k][2] + c[k][3];
}

template <class Product, int chains>
double cycles_of(int blocks, int threads, int rounds) {
  workbook::DeviceArray<long long> cycles(static_cast<std::size_t>(blocks));
  workbook::DeviceArray<float> out(8192);
  // Numbers near 1 in each type: on zeros a tensor core needs less power.
  const unsigned bits = 0x3f803c00u;
  for (int i = 0; i < 2; ++i) multiply<Product, chains><<<blocks, threads>>>(out.data(), bits, rounds, cycles.data());
  CUDA_CHECK(cudaGetLastError());
  return mean(cycles);
}

template <class Product>
double measure_shape(const Gpu& gpu, Results& results, const std::string& shape) {
  constexpr int kChains = 8, kWarps = 16, kRounds = 512;
  const double busy = cycles_of<Product, kChains>(gpu.multiprocessors, 32 * kWarps, kRounds);
  results.add_tensor(shape, kWarps * kChains * kRounds / busy, "16 warps with eight chains each");
  return cycles_of<Product, 1>(1, 32, kRounds) / kRounds;
}

}  // namespace

void measure_tensor_cores(const Gpu& gpu, Results& results) {
  int major = 0;
  CUDA_CHECK(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  if (major < 8) return;
  results.add("latency_tensor", measure_shape<Tf32K8>(gpu, results, "m16n8k8.tf32"), "mma m16n8k8 tf32, one warp");
  measure_shape<Tf32K4>(gpu, results, "m16n8k4.tf32");
  measure_shape<HalfK16>(gpu, results, "m16n8k16.f16");
  measure_shape<HalfK8>(gpu, results, "m16n8k8.f16");
  measure_shape<Bf16K16>(gpu, results, "m16n8k16.bf16");
}

}  // namespace calibrate
