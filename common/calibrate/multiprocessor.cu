// SPDX-License-Identifier: MIT
// What the L1 and shared memory of a multiprocessor give in a cycle, and what a barrier costs.
#include "calibrate/results.h"

namespace calibrate {
namespace {

/// Each lane reads 4 bytes, `stride` numbers apart, in 16 KiB that the L1 holds after the first time.
__global__ void __launch_bounds__(1024)
    read_l1(const float* in, int stride, int rounds, long long* cycles, float* out) {
  float sum = 0.0f;
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) sum += in[i];
  __syncthreads();
  const long long begin = clock64();
  unsigned at = lane * stride + warp * 32;
  for (int round = 0; round < rounds; ++round) {
    const float* first = in + at % 2048;
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      float x;
      asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(x) : "l"(first + u * 256));
      sum += x;
    }
    at += 8;
  }
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  if (sum == 0.12345f) *out = sum;
}

/// The same with 16 bytes a lane: four sectors in four of each lane's lines.
__global__ void __launch_bounds__(1024) read_l1_wide(const float4* in, int rounds, long long* cycles, float* out) {
  float sum = 0.0f;
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) sum += in[i].x;
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      float4 x;
      asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
                   : "l"(in + (threadIdx.x + u * 32 + round) % 1024));
      sum += x.x + x.y + x.z + x.w;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  if (sum == 0.12345f) *out = sum;
}

__global__ void __launch_bounds__(1024) read_shared(int stride, int rounds, long long* cycles, float* out) {
  __shared__ float near[4096];
  for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x) near[i] = i;
  __syncthreads();
  const unsigned first = __cvta_generic_to_shared(near) + threadIdx.x % 32 * stride * 4;
  float sum = 0.0f;
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int u = 0; u < 8; ++u) {
      float x;
      asm volatile("ld.volatile.shared.f32 %0, [%1];" : "=f"(x) : "r"(first + u * 128));
      sum += x;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  if (sum == 0.12345f) *out = sum;
}

/// All lanes add to one number, or each to its own.
__global__ void __launch_bounds__(1024)
    add_shared(const unsigned* place_of, int rounds, long long* cycles, unsigned* out) {
  __shared__ unsigned counters[64];
  if (threadIdx.x < 64) counters[threadIdx.x] = 0;
  const unsigned at = place_of[threadIdx.x % 32];
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) atomicAdd(&counters[at], threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  if (threadIdx.x < 32) out[threadIdx.x] = counters[threadIdx.x];
}

__global__ void __launch_bounds__(1024) add_shared_floats(int rounds, long long* cycles, float* out) {
  __shared__ float sum;
  sum = 0.0f;
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) atomicAdd(&sum, 1.0f + threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
  if (threadIdx.x == 0) *out = sum;
}

__global__ void wait_at_barriers(int rounds, long long* cycles) {
  __syncthreads();
  const long long begin = clock64();
  for (int round = 0; round < rounds; ++round) {
    __syncthreads();
    __syncthreads();
    __syncthreads();
    __syncthreads();
  }
  if (threadIdx.x == 0) cycles[blockIdx.x] = clock64() - begin;
}

}  // namespace

void measure_multiprocessor(const Gpu& gpu, Results& results) {
  constexpr int kWarps = 32, kRounds = 256;
  workbook::DeviceArray<long long> cycles(static_cast<std::size_t>(gpu.multiprocessors));
  workbook::DeviceArray<float> in(8192), out(32);
  in.fill(0x3c);
  const auto twice = [&](const auto& kernel) {
    for (int i = 0; i < 2; ++i) kernel();
    CUDA_CHECK(cudaGetLastError());
    return mean(cycles);
  };
  const double requests = kWarps * kRounds * 8.0;
  const int all = gpu.multiprocessors;
  const auto rows = [&](int stride) {
    return requests / twice([&] { read_l1<<<all, 1024>>>(in.data(), stride, kRounds, cycles.data(), out.data()); });
  };
  const auto wide = reinterpret_cast<const float4*>(in.data());
  const double wide_requests =
      requests / twice([&] { read_l1_wide<<<all, 1024>>>(wide, kRounds, cycles.data(), out.data()); });
  results.add("l1_sectors", 16 * wide_requests, "float4 of neighbours, hits");
  results.add("l1_lines", 32 * rows(33), "4 bytes from each of 32 lines, each in another bank, hits");
  for (const int stride : {1, 2, 3, 4, 5, 8, 9, 16, 17, 32, 33})
    results.add_to_table("l1_requests_by_stride", std::to_string(stride), rows(stride));
  const auto passes = [&](int stride) {
    return requests / twice([&] { read_shared<<<all, 1024>>>(stride, kRounds, cycles.data(), out.data()); });
  };
  results.add("shared_wavefronts", 8 * passes(8), "loads of 8 passes each");
  for (const int stride : {1, 2, 4, 8, 16, 32})
    results.add_to_table("shared_requests_by_stride", std::to_string(stride), passes(stride));

  workbook::DeviceArray<unsigned> places(32), sums(32);
  const auto add_cycles = [&] {
    return twice([&] { add_shared<<<all, 1024>>>(places.data(), kRounds, cycles.data(), sums.data()); }) /
           (kWarps * kRounds);
  };
  places.fill(0);
  results.add("atomic_shared_cycles", add_cycles(), "atomicAdd by 32 lanes, one address, a warp");
  std::vector<unsigned> own(32);
  for (unsigned i = 0; i < 32; ++i) own[i] = i;
  CUDA_CHECK(cudaMemcpy(places.data(), own.data(), 128, cudaMemcpyHostToDevice));
  results.add("atomic_shared_spread_cycles", add_cycles(), "atomicAdd by 32 lanes, 32 addresses, a warp");
  const int adds = 4;
  results.add("atomic_shared_float_cycles",
              twice([&] { add_shared_floats<<<all, 1024>>>(adds, cycles.data(), out.data()); }) / (kWarps * adds),
              "atomicAdd of floats by 32 lanes, one address, a warp");

  for (int threads = 32; threads <= 1024; threads *= 2) {
    const double each = twice([&] { wait_at_barriers<<<all, threads>>>(kRounds, cycles.data()); }) / (4 * kRounds);
    results.add_to_table("barrier_cycles_by_threads", std::to_string(threads), each);
    if (threads == 32) results.add("latency_barrier", each, "__syncthreads() of one warp");
    if (threads == 256) results.add("barrier_cycles", each, "__syncthreads() of 256 threads, alone");
  }
}

}  // namespace calibrate
