// SPDX-License-Identifier: MIT
// What DRAM and the L2 move: reads, copies and writes, of neighbouring and of scattered sectors.
#include <algorithm>
#include <cstdint>

#include "calibrate/results.h"

namespace calibrate {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr int kThreads = 512;

__global__ void read(const float4* in, std::size_t count, int times, float* out) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  float sum = 0.0f;
  for (int t = 0; t < times; ++t) {
#pragma unroll 4
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) {
      float4 x;
      asm volatile("ld.global.cg.v4.f32 {%0, %1, %2, %3}, [%4];"
                   : "=f"(x.x), "=f"(x.y), "=f"(x.z), "=f"(x.w)
                   : "l"(in + i));
      sum += x.x + x.y + x.z + x.w;
    }
  }
  if (sum == 0.12345f) *out = sum;
}

/// A number of 4 bytes a thread and turn.
__global__ void read_words(const float* in, std::size_t count, float* out) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  float sum = 0.0f;
#pragma unroll 1
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) sum += in[i];
  if (sum == 0.12345f) *out = sum;
}

__global__ void write_words(float* out, std::size_t count, int times) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (int t = 0; t < times; ++t)
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
      out[i] = static_cast<float>(t);
}

__global__ void write(float4* out, std::size_t count, int times) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (int t = 0; t < times; ++t)
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step)
      out[i] = make_float4(1.0f, 2.0f, 3.0f, static_cast<float>(t));
}

/// 4 bytes of each sector of 32.
__global__ void write_parts(float* out, std::size_t sectors, int times) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (int t = 0; t < times; ++t)
    for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < sectors; i += step)
      out[i * 8] = static_cast<float>(t);
}

__global__ void copy(const float4* in, float4* out, std::size_t count) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
#pragma unroll 4
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += step) out[i] = in[i];
}

/// Each lane reads sectors anywhere in `sectors`, a power of two.
__global__ void read_anywhere(const float* in, std::uint32_t sectors, int loads, float* out) {
  std::uint32_t state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
  float sum = 0.0f;
#pragma unroll 8
  for (int i = 0; i < loads; ++i) {
    state = state * 1664525u + 1013904223u;
    const std::uint32_t sector = (state ^ state >> 15) * 2246822519u >> 3 & (sectors - 1);
    float x;
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(x) : "l"(in + std::size_t{sector} * 8));
    sum += x;
  }
  if (sum == 0.12345f) *out = sum;
}

double anywhere_sectors_a_cycle(const Gpu& gpu, const workbook::DeviceArray<float>& memory, std::size_t bytes) {
  const int blocks = gpu.multiprocessors * 4, loads = 256;
  const auto sectors = static_cast<std::uint32_t>(bytes / 32);
  workbook::DeviceArray<float> out(1);
  const double cycles =
      gpu.time_cycles([&] { read_anywhere<<<blocks, kThreads>>>(memory.data(), sectors, loads, out.data()); });
  return static_cast<double>(blocks) * kThreads * loads / cycles;
}

/// How the rates depend on size, and on the threads that a multiprocessor has.
void fill_tables(const Gpu& gpu, Results& results, const workbook::DeviceArray<float>& memory, std::size_t large) {
  const int blocks = gpu.multiprocessors * 4;
  workbook::DeviceArray<float> out(1);
  const auto four = reinterpret_cast<float4*>(memory.data());
  for (std::size_t size = 2 * kMiB; size <= large; size *= 4) {
    const int again = 1 + static_cast<int>(512 * kMiB / size);
    const double us = gpu.time_us([&] {
      for (int i = 0; i < again; ++i) copy<<<blocks, kThreads>>>(four, four + large / 16, size / 16);
    });
    results.add_to_table("copy_us_by_mib", std::to_string(size / kMiB), us / again);
  }
  for (const std::size_t size : {4, 8, 16, 24, 28, 32, 40, 48, 56, 64}) {
    const double cycles = gpu.time_cycles([&] { read<<<blocks, kThreads>>>(four, size * kMiB / 16, 64, out.data()); });
    results.add_to_table("l2_read_sectors_by_mib", std::to_string(size), size * kMiB / 32.0 * 64 / cycles);
  }
  for (const int threads : {32, 64, 128, 256, 512, 1024}) {
    const std::size_t count = std::min(64 * kMiB * static_cast<std::size_t>(threads) / 256, large / 4);
    const double us =
        gpu.time_us([&] { read_words<<<gpu.multiprocessors, threads>>>(memory.data(), count, out.data()); });
    results.add_to_table("read_gb_s_by_threads", std::to_string(threads), count * 4 / us / 1000);
  }
}

}  // namespace

void measure_bandwidths(const Gpu& gpu, Results& results) {
  const int blocks = gpu.multiprocessors * 4;
  const std::size_t most = gpu.most_bytes;
  workbook::DeviceArray<float> memory(most / 4);
  memory.fill(0x3c);
  workbook::DeviceArray<float> out(1);
  const auto four = reinterpret_cast<float4*>(memory.data());
  const auto gb_s = [](double bytes, double us) { return bytes / us / 1000.0; };
  const std::size_t large = most / 2, count = large / 16;
  const auto bytes = static_cast<double>(large);
  results.add("dram_read_gb_s",
              gb_s(bytes, gpu.time_us([&] { read<<<blocks, kThreads>>>(four, count, 1, out.data()); })),
              "float4 from 4 GiB, or a quarter of the free memory");
  results.add("dram_read_word_gb_s",
              gb_s(bytes, gpu.time_us([&] { read_words<<<blocks, kThreads>>>(memory.data(), large / 4, out.data()); })),
              "4 bytes a thread and turn");
  results.add("dram_write_gb_s", gb_s(bytes, gpu.time_us([&] { write<<<blocks, kThreads>>>(four, count, 1); })),
              "float4 to as much");
  results.add("dram_copy_gb_s",
              gb_s(2 * bytes, gpu.time_us([&] { copy<<<blocks, kThreads>>>(four, four + count, count); })),
              "float4, as much; bytes read and written");
  // A third of the L2: some GPUs keep a copy in each half.
  const std::size_t near = static_cast<std::size_t>(gpu.l2_bytes / 3) / 512 * 512;
  const int times = 64;
  const double sectors = static_cast<double>(near) / 32 * times;
  results.add("l2_read_sectors",
              sectors / gpu.time_cycles([&] { read<<<blocks, kThreads>>>(four, near / 16, times, out.data()); }),
              "float4 from a third of the L2, 64 times");
  results.add("l2_write_sectors",
              sectors / gpu.time_cycles([&] { write<<<blocks, kThreads>>>(four, near / 16, times); }),
              "float4 to a third of the L2, 64 times");
  results.add("l2_write_word_sectors",
              sectors / gpu.time_cycles([&] { write_words<<<blocks, kThreads>>>(memory.data(), near / 4, times); }),
              "4 bytes a thread to a third of the L2, 64 times");
  results.add("l2_partial_sectors",
              sectors / gpu.time_cycles([&] { write_parts<<<blocks, kThreads>>>(memory.data(), near / 32, times); }),
              "4 bytes of each sector in a third of the L2, 64 times");
  results.add("l2_random_sectors", anywhere_sectors_a_cycle(gpu, memory, 16 * kMiB), "loads anywhere in 16 MiB");
  results.add("dram_random_sectors", anywhere_sectors_a_cycle(gpu, memory, std::min(1024 * kMiB, most)),
              "loads anywhere in 1 GiB, or in half of the free memory");
  double best = 0, reach = 0;
  for (std::size_t size = 4 * kMiB; size <= most; size *= 2) {
    const double rate = anywhere_sectors_a_cycle(gpu, memory, size);
    results.add_to_table("random_sectors_by_mib", std::to_string(size / kMiB), rate);
    if (static_cast<double>(size) < 3 * gpu.l2_bytes) continue;
    best = rate > best ? rate : best;
    if (rate > 0.8 * best) reach = static_cast<double>(size);
    results.add("tlb_sectors", rate, "loads anywhere in " + std::to_string(size / kMiB) + " MiB");
  }
  results.add("tlb_bytes", reach, "the largest memory with 0.8 of the best rate of random loads from DRAM");
  fill_tables(gpu, results, memory, large);
}

}  // namespace calibrate
