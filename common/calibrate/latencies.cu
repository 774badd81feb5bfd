// SPDX-License-Identifier: MIT
// How long one thread waits for a number, by the place of it: each load gives the address of the next.
#include <algorithm>

#include "calibrate/results.h"

namespace calibrate {
namespace {

using Address = unsigned long long;

/// A ring through all `lines` of 128 bytes, with jumps of `jump` lines, which has no factor in common with `lines`.
__global__ void make_ring(Address* memory, unsigned lines, unsigned jump) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < lines) memory[i * 16ul] = reinterpret_cast<Address>(memory + (i + jump) % lines * 16ul);
}

/// `level`: 1 for loads that may hit the L1, 2 for those that do not look there.
template <int level>
__global__ void follow(const Address* first, int steps, long long* cycles, Address* out) {
  auto at = reinterpret_cast<Address>(first);
  const long long begin = clock64();
#pragma unroll 8
  for (int i = 0; i < steps; ++i) {
    if (level == 1)
      asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at));
    else
      asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
  }
  *out = at;
  *cycles = clock64() - begin;
}

__global__ void follow_shared(int steps, long long* cycles, unsigned* out) {
  __shared__ unsigned ring[1024];
  for (int i = 0; i < 1024; ++i) ring[i] = static_cast<unsigned>(__cvta_generic_to_shared(ring + (i + 33) % 1024));
  unsigned at = ring[0];
  const long long begin = clock64();
#pragma unroll 8
  for (int i = 0; i < steps; ++i) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  *out = at;
  *cycles = clock64() - begin;
}

__global__ void follow_shared_atomics(int steps, long long* cycles, unsigned* out) {
  __shared__ unsigned counters[32];
  counters[threadIdx.x] = 0;
  __syncwarp();
  unsigned at = threadIdx.x;
  const long long begin = clock64();
  for (int i = 0; i < steps; ++i) at = (at + atomicAdd(&counters[at], 32u)) % 32;
  out[threadIdx.x] = at;
  if (threadIdx.x == 0) *cycles = clock64() - begin;
}

struct Ring {
  workbook::DeviceArray<Address> memory;
  unsigned lines;
  explicit Ring(std::size_t bytes) : memory(bytes / 8), lines(static_cast<unsigned>(bytes / 128)) {
    // About the golden section of the ring, and odd: no neighbour of a line is next.
    const auto jump = static_cast<unsigned>(0.618 * lines) | 1u;
    make_ring<<<(lines + 255) / 256, 256>>>(memory.data(), lines, jump);
    CUDA_CHECK(cudaGetLastError());
  }
};

template <int level>
double cycles_of_step(const Gpu& gpu, std::size_t bytes, int steps, bool is_clean) {
  const Ring ring(bytes);
  workbook::DeviceArray<long long> cycles(1);
  workbook::DeviceArray<Address> out(1);
  double sum = 0;
  constexpr int kRuns = 4;
  for (int run = 0; run <= kRuns; ++run) {
    if (is_clean) gpu.instruments.clean_cache();
    follow<level><<<1, 1>>>(ring.memory.data() + (is_clean ? run * 65536 : 0), steps, cycles.data(), out.data());
    CUDA_CHECK(cudaGetLastError());
    if (run > 0) sum += mean(cycles) / steps;
  }
  return sum / kRuns;
}

}  // namespace

void measure_latencies(const Gpu& gpu, Results& results) {
  constexpr std::size_t kKiB = 1024, kMiB = 1024 * kKiB;
  results.add("latency_l1", cycles_of_step<1>(gpu, 8 * kKiB, 4096, false), "one thread, a ring of 8 KiB, ld.ca");
  results.add("latency_l2", cycles_of_step<2>(gpu, 4 * kMiB, 65536, false), "one thread, a ring of 4 MiB, ld.cg");
  results.add("latency_dram", cycles_of_step<2>(gpu, 256 * kMiB, 8192, true),
              "one thread, lines of 256 MiB that the L2 does not have");
  for (std::size_t bytes = 16 * kKiB; bytes <= gpu.most_bytes; bytes *= 2) {
    // Larger rings are read in part, after reads of other memory: from DRAM.
    const bool is_clean = static_cast<double>(bytes) > gpu.l2_bytes;
    const int steps = is_clean ? 8192 : static_cast<int>(std::max<std::size_t>(bytes / 128, 4096));
    results.add_to_table("latency_by_kib", std::to_string(bytes / kKiB),
                         cycles_of_step<1>(gpu, bytes, steps, is_clean));
  }
  workbook::DeviceArray<long long> cycles(1);
  workbook::DeviceArray<unsigned> out(32);
  for (int i = 0; i < 2; ++i) follow_shared<<<1, 1>>>(4096, cycles.data(), out.data());
  results.add("latency_shared", mean(cycles) / 4096, "one thread, a ring of 4 KiB");
  for (int i = 0; i < 2; ++i) follow_shared_atomics<<<1, 32>>>(4096, cycles.data(), out.data());
  results.add("latency_atomic_shared", mean(cycles) / 4096, "one warp, each lane its own counter, the old value used");
}

}  // namespace calibrate
