// SPDX-License-Identifier: MIT
// Keys of 32 bits and their order: the only order in which the course searches and sorts them. For students and for the
// library.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace workbook {

/// The meaning of the 32 bits of a key.
enum class KeyType : std::uint8_t { unsigned_ints, signed_ints, floats };

/// The ordinal of a key: its place among all 2^32 keys of its type. Key a comes before key b where ordinal_of(a) <
/// ordinal_of(b). Whole numbers have their usual order. So have floats, with -0 before +0. All NaN come after infinity:
/// first those without a sign, by rising bits, then those with a sign, by falling bits. Keys with the same ordinal have
/// the same bits.
__host__ __device__ inline std::uint32_t ordinal_of(std::uint32_t key, KeyType type) {
  constexpr std::uint32_t kSign = 0x80000000u, kNansWithSign = 0x007FFFFFu;
  if (type == KeyType::unsigned_ints) return key;
  if (type == KeyType::signed_ints) return key ^ kSign;
  // A float is a sign and a magnitude, so this reverses the negative numbers. The subtraction moves the negative NaN
  // from the front to the end.
  return ((key & kSign) != 0 ? ~key : key ^ kSign) - kNansWithSign;
}

/// The key with this ordinal.
__host__ __device__ inline std::uint32_t key_of(std::uint32_t ordinal, KeyType type) {
  constexpr std::uint32_t kSign = 0x80000000u, kNansWithSign = 0x007FFFFFu;
  if (type == KeyType::unsigned_ints) return ordinal;
  if (type == KeyType::signed_ints) return ordinal ^ kSign;
  const std::uint32_t turned = ordinal + kNansWithSign;
  return (turned & kSign) != 0 ? turned ^ kSign : ~turned;
}

}  // namespace workbook
