// SPDX-License-Identifier: MIT
// One asynchronous copy of a loader, given to stages 22 and 23.
#pragma once

#include <cuda_runtime_api.h>

namespace workbook::products {

/// Starts a copy of kBytes to an address of shared memory, or fills its place with zeros where the element does not
/// exist. It does what __pipeline_memcpy_async() does. That function branches; here an operand of the one instruction
/// says whether the element exists.
template <int kBytes>
__device__ void copy_or_zero(int to, const float* from, bool exists) {
  const int bytes = exists ? kBytes : 0;
  if constexpr (kBytes == sizeof(float4)) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
  }
}

/// The address of shared memory for copy_or_zero().
inline __device__ int shared_address(const void* pointer) {
  return static_cast<int>(__cvta_generic_to_shared(pointer));
}

}  // namespace workbook::products
