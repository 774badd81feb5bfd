// SPDX-License-Identifier: MIT
// Updates of global memory: of one address, of one sector, and of many.
#include <cstdint>

#include "calibrate/results.h"

namespace calibrate {
namespace {

constexpr int kThreads = 256;

/// `mask`: which words the threads share, 0 for one. The compiler does not know it, so it adds nothing up by itself.
template <class T>
__global__ void add(T* words, unsigned mask, int times) {
  T* word = words + ((blockIdx.x * blockDim.x + threadIdx.x) & mask);
  for (int i = 0; i < times; ++i) atomicAdd(word, static_cast<T>(threadIdx.x));
}

__global__ void add_ones(unsigned* word, int times) {
  for (int i = 0; i < times; ++i) atomicAdd(word, 1u);
}

__global__ void add_and_use(unsigned* words, unsigned mask, int times) {
  unsigned* word = words + ((blockIdx.x * blockDim.x + threadIdx.x) & mask);
  unsigned sum = threadIdx.x;
  for (int i = 0; i < times; ++i) sum += atomicAdd(word, sum);
  if (sum == 12345u) words[1024] = sum;
}

__global__ void swap(unsigned* words, unsigned mask, int times) {
  unsigned* word = words + ((blockIdx.x * blockDim.x + threadIdx.x) & mask);
  unsigned seen = threadIdx.x;
  for (int i = 0; i < times; ++i) seen = atomicCAS(word, seen, seen + 1);
  if (seen == 12345u) words[1024] = seen;
}

/// A sector of its own for each update, anywhere in `sectors`, a power of two.
__global__ void add_anywhere(unsigned* words, std::uint32_t sectors, int times) {
  std::uint32_t state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
  for (int i = 0; i < times; ++i) {
    state = state * 1664525u + 1013904223u;
    atomicAdd(words + ((state ^ state >> 15) * 2246822519u >> 3 & (sectors - 1)) * 8ul, 1u);
  }
}

}  // namespace

void measure_atomics(const Gpu& gpu, Results& results) {
  constexpr std::size_t kBytes = std::size_t{1} << 24;
  workbook::DeviceArray<unsigned> words(kBytes / 4);
  words.fill(0);
  const int blocks = gpu.multiprocessors * 4, times = 8;
  const double updates = static_cast<double>(blocks) * kThreads * times;
  const auto ns = [&](const std::function<void()>& kernel) { return gpu.time_us(kernel) * 1000 / updates; };
  unsigned* data = words.data();
  const auto floats = reinterpret_cast<float*>(data);
  const auto doubles = reinterpret_cast<double*>(data);
  const auto wide = reinterpret_cast<unsigned long long*>(data);
  results.add("atomic_ns", ns([&] { add<unsigned><<<blocks, kThreads>>>(data, 0, times); }), "atomicAdd, a lane");
  results.add("atomic_float_ns", ns([&] { add<float><<<blocks, kThreads>>>(floats, 0, times); }), "atomicAdd, a lane");
  results.add("atomic_wide_ns", ns([&] { add<unsigned long long><<<blocks, kThreads>>>(wide, 0, times); }),
              "atomicAdd of 64 bits, a lane");
  results.add("atomic_double_ns", ns([&] { add<double><<<blocks, kThreads>>>(doubles, 0, times); }),
              "atomicAdd, a lane");
  results.add("atomic_uniform_ns", ns([&] { add_ones<<<blocks, kThreads>>>(data, times); }),
              "atomicAdd(p, 1), which ptxas adds up in a warp, a lane");
  results.add("atomic_result_ns", ns([&] { add_and_use<<<blocks, kThreads>>>(data, 0, times); }),
              "atomicAdd, the old value used, a lane");
  results.add("atomic_cas_ns", ns([&] { swap<<<blocks, kThreads>>>(data, 0, times); }), "atomicCAS, a lane");
  results.add("atomic_sector_ns", ns([&] { add<unsigned><<<blocks, kThreads>>>(data, 7, times); }),
              "atomicAdd to the 8 words of a sector, a lane");
  for (unsigned mask = 1; mask < 65536; mask = 4 * mask + 3) {
    results.add_to_table("atomic_ns_by_words", std::to_string(mask + 1),
                         ns([&] { add<unsigned><<<blocks, kThreads>>>(data, mask, times); }));
    results.add_to_table("atomic_float_ns_by_words", std::to_string(mask + 1),
                         ns([&] { add<float><<<blocks, kThreads>>>(floats, mask, times); }));
  }
  constexpr auto kSectors = static_cast<std::uint32_t>(kBytes / 32);
  results.add("atomic_sectors",
              updates * 8 / gpu.time_cycles([&] { add_anywhere<<<blocks, kThreads>>>(data, kSectors, 8 * times); }),
              "atomicAdd anywhere in 16 MiB, a sector each");
  const unsigned all = 131071;
  results.add("atomic_neighbour_sectors",
              updates / gpu.time_cycles([&] { add<unsigned><<<blocks, kThreads>>>(data, all, 8 * times); }),
              "atomicAdd of neighbours, sectors");
}

}  // namespace calibrate
