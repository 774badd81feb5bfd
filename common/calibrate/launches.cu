// SPDX-License-Identifier: MIT
// What launches, calls of the host, and blocks cost.
#include <chrono>

#include "calibrate/results.h"

namespace calibrate {
namespace {

__global__ void do_nothing() {}
/// Keeps the GPU busy while the host fills the queue.
__global__ void wait_cycles(long long cycles) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) {
  }
}

template <class Call>
double host_us(const Call& call) {
  constexpr int kCalls = 200;
  std::vector<double> times;
  for (int i = 0; i < 5; ++i) {
    CUDA_CHECK(cudaDeviceSynchronize());
    const auto begin = std::chrono::steady_clock::now();
    for (int k = 0; k < kCalls; ++k) call();
    const std::chrono::duration<double, std::micro> time = std::chrono::steady_clock::now() - begin;
    times.push_back(time.count() / kCalls);
  }
  return workbook::spread_of(times).median;
}

/// Time of a launch that is in the queue when the one before ends.
template <class Launch>
double device_us(const Gpu& gpu, const Launch& launch) {
  constexpr int kLaunches = 200;
  const auto busy = static_cast<long long>(gpu.clock_mhz * 3000);
  const double first = gpu.time_us([&] { wait_cycles<<<1, 1>>>(busy); });
  const double all = gpu.time_us([&] {
    wait_cycles<<<1, 1>>>(busy);
    for (int i = 0; i < kLaunches; ++i) launch();
  });
  return (all - first) / kLaunches;
}

}  // namespace

void measure_launches(const Gpu& gpu, Results& results) {
  workbook::DeviceArray<char> memory(8192);
  cudaEvent_t event = nullptr;
  CUDA_CHECK(cudaEventCreate(&event));
  const auto launch = [] { do_nothing<<<1, 32>>>(); };
  const auto clear = [&] { CUDA_CHECK(cudaMemsetAsync(memory.data(), 0, 4096)); };
  const auto copy = [&] {
    CUDA_CHECK(cudaMemcpyAsync(memory.data(), memory.data() + 4096, 4096, cudaMemcpyDeviceToDevice));
  };
  const auto set = [] {
    CUDA_CHECK(cudaFuncSetAttribute(do_nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 40000));
  };
  results.add("launch_us", device_us(gpu, launch), "200 empty launches behind a busy GPU, each");
  results.add("memset_device_us", device_us(gpu, clear), "200 cudaMemsetAsync of 4 KiB behind a busy GPU, each");
  results.add("copy_device_us", device_us(gpu, copy), "200 cudaMemcpyAsync of 4 KiB behind a busy GPU, each");
  results.add("launch_host_us", host_us(launch), "200 empty launches on the host, each");
  results.add("memset_us", host_us(clear), "200 cudaMemsetAsync of 4 KiB on the host, each");
  results.add("copy_us", host_us(copy), "200 cudaMemcpyAsync of 4 KiB on the host, each");
  results.add("attribute_us", host_us(set), "200 cudaFuncSetAttribute on the host, each");
  results.add("event_us", host_us([&] { CUDA_CHECK(cudaEventRecord(event)); }),
              "200 cudaEventRecord on the host, each");
  results.add("sync_us", host_us([] { CUDA_CHECK(cudaDeviceSynchronize()); }), "cudaDeviceSynchronize, nothing to do");
  CUDA_CHECK(cudaEventDestroy(event));

  for (int threads = 32; threads <= 1024; threads *= 2) {
    const int few = gpu.multiprocessors * 200, many = 5 * few;
    const double us =
        gpu.time_us([&] { do_nothing<<<many, threads>>>(); }) - gpu.time_us([&] { do_nothing<<<few, threads>>>(); });
    const double blocks_a_us = (many - few) / us;
    results.add_to_table("blocks_a_us_by_threads", std::to_string(threads), blocks_a_us);
    if (threads == 32) results.add("blocks_a_us", blocks_a_us, "empty blocks of 32 threads");
    int resident = 0;
    CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, do_nothing, threads, 0));
    const double cycles = gpu.multiprocessors * resident * gpu.clock_mhz / blocks_a_us;
    results.add_to_table("block_cycles_by_threads", std::to_string(threads), cycles);
    if (threads == 1024) results.add("block_cycles", cycles, "empty blocks of 1,024 threads, as many as reside");
  }
}

}  // namespace calibrate
