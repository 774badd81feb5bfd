// SPDX-License-Identifier: MIT
// The shared memory that a GPU has for a block: 64 KiB on a T4, 99 KiB on a GeForce RTX, 227 KiB on an H200 (CUDA C++
// Programming Guide, "Technical Specifications per Compute Capability").
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "workbook/student/cuda_check.h"

namespace workbook {

/// The bytes that a block of the current device may have, for a kernel that asks for more than 48 KiB
/// (cudaFuncAttributeMaxDynamicSharedMemorySize). Errors of CUDA end the program.
inline std::size_t most_shared_bytes() {
  int device = 0, bytes = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  return static_cast<std::size_t>(bytes);
}

}  // namespace workbook
