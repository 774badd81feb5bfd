// SPDX-License-Identifier: MIT
// How many blocks of a kernel fit on one multiprocessor at once.
#pragma once

#include <cstdint>

#include "runtime/runtime.h"

namespace cudasim {

/// Blocks of `block_threads` threads that one multiprocessor holds. The limits are threads, warps, registers and shared
/// memory of `gpu`. 0: not one fits. The registers of KernelInfo are an estimate. They
/// count as no more than lets one block of the largest size fit. The compiler ensures this for kernels with
/// __launch_bounds__.
std::uint32_t resident_blocks(const KernelInfo& info, std::uint32_t block_threads, std::uint64_t dynamic_shared_bytes,
                              const Gpu& gpu);

/// Dynamic shared memory that a launch of the kernel may request.
int max_dynamic_shared_bytes(const KernelInfo& info, const KernelRecord& kernel);

/// Registers a thread, limited as resident_blocks() does.
std::uint32_t registers_of(const KernelInfo& info);

}  // namespace cudasim
