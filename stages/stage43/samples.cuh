// SPDX-License-Identifier: MIT
// What stage 42 has made, and samples in vectors of 16 bytes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "workbook/student/histogram.h"

/// The bin of a sample (stage 42, step 1), or bins.count or more where it is in none.
__device__ inline unsigned bin_of(std::uint32_t sample, const workbook::Bins&) { return sample; }
__device__ inline unsigned bin_of(std::uint8_t sample, const workbook::Bins&) { return sample; }
__device__ inline unsigned bin_of(float sample, const workbook::Bins& bins) {
  if (!(sample >= bins.lower && sample < bins.upper)) {
    return bins.count;
  }
  return min(static_cast<unsigned>((sample - bins.lower) * bins.scale), bins.count - 1);
}

/// The samples of a vector: 4, or 16 bytes.
template <typename T>
constexpr unsigned kSamples = sizeof(uint4) / sizeof(T);

/// Loads 16 bytes that no thread of this SM will ask for again.
__device__ inline uint4 load_once(const uint4* address) {
  uint4 value;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
      : "l"(address));
  return value;
}

/// Sample k of a vector. k is a constant, once the loop around it is unrolled.
template <typename T>
__device__ T sample_of(const uint4& vector, unsigned k);
template <>
__device__ inline std::uint32_t sample_of(const uint4& vector, unsigned k) {
  return k == 0 ? vector.x : k == 1 ? vector.y : k == 2 ? vector.z : vector.w;
}
template <>
__device__ inline std::uint8_t sample_of(const uint4& vector, unsigned k) {
  return static_cast<std::uint8_t>(sample_of<std::uint32_t>(vector, k / 4) >> (8 * (k % 4)));
}
template <>
__device__ inline float sample_of(const uint4& vector, unsigned k) {
  return __uint_as_float(sample_of<std::uint32_t>(vector, k));
}
