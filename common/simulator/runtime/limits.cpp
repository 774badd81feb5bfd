// SPDX-License-Identifier: MIT
#include "runtime/limits.h"

#include <string>

#include "runtime/launch.h"
#include "runtime/occupancy.h"

namespace cudasim {
namespace {

std::string text_of(const Dim3& d) {
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

/// CUDA 13 (measured on an H200, driver 580) calls an impossible size an invalid value; CUDA 12 an invalid
/// configuration.
constexpr cudaError_t kImpossibleSize = CUDART_VERSION >= 13000 ? cudaErrorInvalidValue : cudaErrorInvalidConfiguration;

/// Checks the sizes of grid and block against the limits of the device.
Refused check_sizes(const Dim3& grid, const Dim3& block) {
  const std::uint32_t grid_size[3] = {grid.x, grid.y, grid.z};
  const std::uint32_t block_size[3] = {block.x, block.y, block.z};
  const std::string shape = "grid " + text_of(grid) + ", block " + text_of(block) + ": ";
  constexpr const char* kSmaller =
      "take a smaller block, and more blocks; the first size in <<<grid, block>>> is the number of blocks";
  const auto refused = [&](const std::string& why, const char* advice) {
    return Refused{kImpossibleSize, shape + why, advice};
  };
  for (unsigned i = 0; i < 3; ++i) {
    if (grid_size[i] == 0 || block_size[i] == 0) {
      return refused(
          "no size may be 0",
          "look at how the sizes in <<<grid, block>>> are computed: in whole numbers n / size is 0 where n is "
          "less than size, and (n + size - 1) / size rounds up. For an empty input, launch nothing");
    }
    if (grid_size[i] > DeviceLimits::kGridDim[i]) {
      return refused("a grid has at most (2147483647, 65535, 65535) blocks",
                     "put the largest extent in x, or let each thread do more");
    }
    if (block_size[i] > DeviceLimits::kBlockDim[i]) {
      return refused("a block has at most (1024, 1024, 64) threads", kSmaller);
    }
  }
  if (block.count() <= DeviceLimits::kThreadsPerBlock) return {};
  return refused(std::to_string(block.count()) + " threads, but a block has at most 1024", kSmaller);
}

/// Checks the launch against what the kernel was compiled for and what was set for it.
Refused check_kernel(const KernelInfo& info, const KernelRecord& kernel, const Launch& launch,
                     const Schedule& schedule) {
  if (launch.block.count() > info.max_threads) {
    return {cudaErrorInvalidValue,
            "a block of " + std::to_string(launch.block.count()) +
                " threads, but the kernel's __launch_bounds__ allows " + std::to_string(info.max_threads),
            "take a smaller block, or raise the bound"};
  }
  if (info.static_shared_bytes > DeviceLimits::kSharedPerBlock) {
    return {cudaErrorInvalidPtx,
            std::to_string(info.static_shared_bytes) + " bytes of static shared memory, but there are 49152",
            "make the kernel's __shared__ arrays smaller, or one of them dynamic"};
  }
  const auto allowed = static_cast<std::uint64_t>(max_dynamic_shared_bytes(info, kernel));
  if (launch.dynamic_shared_bytes > allowed) {
    return {
        cudaErrorInvalidValue,
        std::to_string(launch.dynamic_shared_bytes) + " bytes of dynamic shared memory, but " +
            std::to_string(allowed) + " are allowed",
        "ask for less (it is the third value in <<<grid, block, bytes>>>), or allow more, with cudaFuncSetAttribute "
        "and cudaFuncAttributeMaxDynamicSharedMemorySize"};
  }
  if (!launch.cooperative) return {};
  const auto threads = static_cast<std::uint32_t>(launch.block.count());
  const std::uint64_t resident =
      std::uint64_t{resident_blocks(info, threads, launch.dynamic_shared_bytes, *schedule.gpu)} *
      schedule.multiprocessors;
  if (launch.grid.count() <= resident) return {};
  return {cudaErrorCooperativeLaunchTooLarge,
          "a cooperative grid of " + std::to_string(launch.grid.count()) + " blocks, but only " +
              std::to_string(resident) + " fit on the device at once",
          "ask cudaOccupancyMaxActiveBlocksPerMultiprocessor how many fit, and let each thread do more"};
}

}  // namespace

Refused check_launch(Runtime& runtime, const KernelCall& kernel, const KernelInfo& info) {
  Launch launch;
  launch.grid = {kernel.grid.x, kernel.grid.y, kernel.grid.z};
  launch.block = {kernel.block.x, kernel.block.y, kernel.block.z};
  launch.dynamic_shared_bytes = kernel.shared_bytes;
  launch.cooperative = kernel.cooperative;
  const Refused refused = check_sizes(launch.grid, launch.block);
  return refused.error != cudaSuccess
             ? refused
             : check_kernel(info, *runtime.find_kernel(kernel.function), launch, runtime.settings().schedule);
}

bool default_limit(cudaLimit limit, std::size_t& value) {
  switch (limit) {
    case cudaLimitStackSize:
      value = 1024;
      return true;
    case cudaLimitPrintfFifoSize:
      value = 1 << 20;
      return true;
    case cudaLimitMallocHeapSize:
      value = 8 << 20;
      return true;
    case cudaLimitMaxL2FetchGranularity:
      value = 64;
      return true;
    case cudaLimitPersistingL2CacheSize:
      value = 0;
      return true;
    default:
      return false;
  }
}

std::size_t limit_of(const Runtime& runtime, cudaLimit limit) {
  const auto set = runtime.limits.find(limit);
  std::size_t value = 0;
  default_limit(limit, value);
  return set != runtime.limits.end() ? set->second : value;
}

}  // namespace cudasim
