// SPDX-License-Identifier: MIT
// CUDA's enumerations in a message. They are C's: C++ gives no meaning to a number that needs more bits than the
// largest enumerator ([expr.static.cast]), and a message of an untrusted process may hold any number.
#pragma once

#include <cuda_runtime_api.h>

#include <algorithm>

namespace remote {

/// The largest enumerator. Without a definition for its type, an enumeration is in no message: the compiler says so.
template <typename Enumeration>
constexpr unsigned kLargest = Enumeration::has_no_largest_enumerator_here;
template <>
inline constexpr unsigned kLargest<cudaError_t> = cudaErrorApiFailureBase;
template <>
inline constexpr unsigned kLargest<cudaDeviceAttr> = cudaDevAttrMax;
template <>
inline constexpr unsigned kLargest<cudaFuncAttribute> = cudaFuncAttributeMax;
template <>
inline constexpr unsigned kLargest<cudaLimit> = cudaLimitPersistingL2CacheSize;
template <>
inline constexpr unsigned kLargest<cudaMemcpyKind> = cudaMemcpyDefault;
template <>
inline constexpr unsigned kLargest<cudaStreamCaptureMode> = cudaStreamCaptureModeRelaxed;
template <>
inline constexpr unsigned kLargest<cudaLaunchAttributeID> = cudaLaunchAttributePreferredSharedMemoryCarveout;

/// The number as an enumeration. One that the type cannot hold becomes the largest that it can, which CUDA refuses.
template <typename Enumeration>
Enumeration enumeration_of(unsigned number) {
  unsigned range = 1;
  while (range < kLargest<Enumeration>) range = 2 * range + 1;
  return static_cast<Enumeration>(std::min(number, range));
}

}  // namespace remote
