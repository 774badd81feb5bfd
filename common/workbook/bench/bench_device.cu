// SPDX-License-Identifier: MIT
// CUDA events, a kernel that reads memory, and an empty kernel.
#include <algorithm>

#include "workbook/bench/bench_device.h"
#include "workbook/student/gpu_timer.h"

namespace workbook {
namespace {

// Stores the sum only for a value that cannot occur. So the compiler must keep the reads.
__global__ void read_all(const float* memory, std::size_t n, float* sink) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  float sum = 0.0f;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += step) sum += memory[i];
  if (sum != 0.0f) *sink = sum;
}

__global__ void do_nothing() {}

// Counts the cycles of a multiprocessor in a millisecond, and gives the clock in MHz. It runs right behind a sample. On
// some GPUs %globaltimer goes forward in steps of a microsecond: a thousandth of this.
__global__ void read_clock(double* mhz) {
  constexpr unsigned long long kNanoseconds = 1'000'000;
  const auto now = [] {
    unsigned long long time = 0;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
    return time;
  };
  const unsigned long long begin = now();
  const long long first = clock64();
  unsigned long long end = begin;
  while (end - begin < kNanoseconds) end = now();
  *mhz = 1e3 * static_cast<double>(clock64() - first) / static_cast<double>(end - begin);
}

int fp32_lanes_of_multiprocessor(int compute_capability) {
  switch (compute_capability) {
    case 60:
    case 70:
    case 72:
    case 75:
    case 80:
      return 64;
    case 50:
    case 52:
    case 53:
    case 61:
    case 62:
    case 86:
    case 87:
    case 89:
    case 90:
    case 100:
    case 103:
    case 120:
      return 128;
    default:
      return 0;
  }
}

int attribute(cudaDeviceAttr which) {
  int device = 0;
  int value = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

double time_us(const std::function<void()>& launches) {
  GpuTimer timer;
  CUDA_CHECK(cudaDeviceSynchronize());
  timer.start();
  launches();
  timer.stop();
  return static_cast<double>(timer.elapsed_ms()) * 1000.0;
}

}  // namespace

DeviceFacts device_facts() {
  DeviceFacts facts;
  facts.l2_bytes = static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize));
  facts.compute_capability =
      10 * attribute(cudaDevAttrComputeCapabilityMajor) + attribute(cudaDevAttrComputeCapabilityMinor);
  facts.fp32_lanes = attribute(cudaDevAttrMultiProcessorCount) * fp32_lanes_of_multiprocessor(facts.compute_capability);
  for (const int architecture : {__CUDA_ARCH_LIST__}) facts.compiled_for.push_back(architecture / 10);
  return facts;
}

DeviceInstruments::DeviceInstruments(std::size_t l2_bytes)
    : unchanged_(2 * l2_bytes / sizeof(float) + 1), sink_(1), clock_(1) {
  unchanged_.fill(0);
}

Instruments DeviceInstruments::instruments() {
  return {time_us,
          [this] {
            read_all<<<1024, 256>>>(unchanged_.data(), unchanged_.size(), sink_.data());
            CUDA_CHECK(cudaGetLastError());
          },
          [this] {
            read_clock<<<1, 1>>>(clock_.data());
            CUDA_CHECK(cudaGetLastError());
            return read_back(clock_.data());
          }};
}

CopySpeed copy_speed(const Instruments& instruments, std::size_t free_bytes) {
  constexpr std::size_t kMost = std::size_t{4} << 30;
  constexpr int kSamples = 7;
  const DeviceArray<char> from(std::min(kMost, free_bytes / 3 / 256 * 256));
  const DeviceArray<char> to(from.size());
  const auto copy = [&] { CUDA_CHECK(cudaMemcpyAsync(to.data(), from.data(), from.size(), cudaMemcpyDeviceToDevice)); };
  copy();
  std::vector<double> times_us;
  for (int i = 0; i < kSamples; ++i) times_us.push_back(instruments.time_us(copy));
  return {from.size(), 2.0 * static_cast<double>(from.size()) / spread_of(times_us).median / 1000.0};
}

double empty_launch_us(const Instruments& instruments) {
  constexpr int kSamples = 15;
  constexpr int kLaunches = 400;
  cudaLaunchConfig_t one_warp = {};
  one_warp.gridDim = 1;
  one_warp.blockDim = 32;
  const auto launches = [&one_warp] {
    for (int i = 0; i < kLaunches; ++i) CUDA_CHECK(cudaLaunchKernelEx(&one_warp, do_nothing));
  };
  instruments.time_us(launches);
  std::vector<double> times_us;
  for (int i = 0; i < kSamples; ++i) times_us.push_back(instruments.time_us(launches) / kLaunches);
  return spread_of(times_us).median;
}

}  // namespace workbook
