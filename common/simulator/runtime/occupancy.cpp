// SPDX-License-Identifier: MIT
// Occupancy by the allocation units of cuda_occupancy.h in the toolkit.
#include "runtime/occupancy.h"

#include <algorithm>

#include "base/next_multiple.h"
#include "isa/instruction.h"

using namespace cudasim;

namespace {

constexpr std::uint32_t kRegisterUnit = 256;  // a warp gets registers in multiples of this
constexpr std::uint32_t kSubpartitions = 4;   // each has a quarter of the registers, and whole warps
constexpr std::uint32_t kMostRegisters = 255;

}  // namespace

namespace cudasim {

std::uint32_t registers_of(const KernelInfo& info) {
  const std::uint32_t warps = static_cast<std::uint32_t>(
      next_multiple(next_multiple(std::max(info.max_threads, 1u), kWarpSize) / kWarpSize, kSubpartitions));
  const std::uint32_t for_a_warp = DeviceLimits::kRegistersPerMultiprocessor / warps / kRegisterUnit * kRegisterUnit;
  return std::clamp(info.registers, 16u, std::min(for_a_warp / kWarpSize, kMostRegisters));
}

int max_dynamic_shared_bytes(const KernelInfo& info, const KernelRecord& kernel) {
  if (kernel.max_dynamic_shared >= 0) return kernel.max_dynamic_shared;
  return static_cast<int>(DeviceLimits::kSharedPerBlock -
                          std::min(info.static_shared_bytes, DeviceLimits::kSharedPerBlock));
}

std::uint32_t resident_blocks(const KernelInfo& info, std::uint32_t block_threads, std::uint64_t dynamic_shared_bytes,
                              const Gpu& gpu) {
  if (block_threads == 0 || block_threads > info.max_threads) return 0;
  const std::uint32_t block_warps = static_cast<std::uint32_t>(next_multiple(block_threads, kWarpSize) / kWarpSize);

  const std::uint32_t by_warps = gpu.threads_per_multiprocessor / kWarpSize / block_warps;

  const auto warp_registers =
      static_cast<std::uint32_t>(next_multiple(std::uint64_t{registers_of(info)} * kWarpSize, kRegisterUnit));
  const std::uint32_t warps_a_part = DeviceLimits::kRegistersPerMultiprocessor / kSubpartitions / warp_registers;
  const std::uint32_t by_registers = warps_a_part * kSubpartitions / block_warps;

  const std::uint64_t shared_bytes =
      next_multiple(info.static_shared_bytes + dynamic_shared_bytes + gpu.shared_reserved_per_block, gpu.shared_unit);
  if (info.static_shared_bytes + dynamic_shared_bytes > gpu.shared_per_block_optin) return 0;
  const auto by_shared =
      static_cast<std::uint32_t>(gpu.shared_per_multiprocessor / std::max<std::uint64_t>(shared_bytes, 1));

  return std::min({gpu.blocks_per_multiprocessor, by_warps, by_registers, by_shared});
}

}  // namespace cudasim

extern "C" cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function,
                                                                              int block_size,
                                                                              std::size_t dynamic_shared_bytes,
                                                                              unsigned /*flags*/) {
  return enter("cudaOccupancyMaxActiveBlocksPerMultiprocessor", Access::context, [&](Runtime& runtime) {
    cudaError_t error = cudaSuccess;
    const KernelInfo* info = runtime.kernel_info(function, error);
    if (info == nullptr) return error;
    if (blocks == nullptr || block_size <= 0) return cudaErrorInvalidValue;
    *blocks = static_cast<int>(resident_blocks(*info, static_cast<std::uint32_t>(block_size), dynamic_shared_bytes,
                                               *runtime.settings().schedule.gpu));
    return cudaSuccess;
  });
}

extern "C" cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                                     std::size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, block_size, dynamic_shared_bytes, 0);
}

/// The most dynamic shared memory with which `blocks` blocks still fit on a multiprocessor.
extern "C" cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks,
                                                                 int block_size) {
  return enter("cudaOccupancyAvailableDynamicSMemPerBlock", Access::context, [&](Runtime& runtime) {
    cudaError_t error = cudaSuccess;
    const KernelInfo* info = runtime.kernel_info(function, error);
    if (info == nullptr) return error;
    if (bytes == nullptr || blocks <= 0 || block_size <= 0) return cudaErrorInvalidValue;
    const auto threads = static_cast<std::uint32_t>(block_size);
    const Gpu& gpu = *runtime.settings().schedule.gpu;
    if (resident_blocks(*info, threads, 0, gpu) < static_cast<std::uint32_t>(blocks)) return cudaErrorInvalidValue;
    const std::uint32_t share =
        gpu.shared_per_multiprocessor / static_cast<std::uint32_t>(blocks) / gpu.shared_unit * gpu.shared_unit;
    const std::uint32_t taken = info->static_shared_bytes + gpu.shared_reserved_per_block;
    // So many blocks fit without dynamic memory: `taken` is at most either of the two.
    const std::uint32_t room = std::min(share, gpu.shared_per_block_optin + gpu.shared_reserved_per_block) - taken;
    // No more than a launch may ask for (cuda_occupancy.h, cudaOccAvailableDynamicSMemPerBlock).
    const int allowed = max_dynamic_shared_bytes(*info, *runtime.find_kernel(function));
    *bytes = std::min(room, static_cast<std::uint32_t>(allowed));
    return cudaSuccess;
  });
}
