// SPDX-License-Identifier: MIT
// Keys that are difficult for a sort. Each is a function of its place, so host and device make the same keys. So an
// input of 2^30 keys need not come from the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "workbook/student/sort.h"

namespace workbook {

/// The distributions of keys. Keys rise or fall in the order of the type, around 0 where the type has a sign.
enum class Keys : std::uint8_t {
  uniform,        ///< All ints; floats in [-1, 1).
  equal,          ///< One key.
  zeros,          ///< One key without set bits.
  two,            ///< Two keys, at random.
  sorted,         ///< Rising.
  reversed,       ///< Falling.
  organ_pipe,     ///< Rising, then falling.
  sawtooth,       ///< Rising over 1,024 places, again and again.
  nearly_sorted,  ///< Rising, except one key in 64.
  extremes,       ///< The first and the last key of the order, at random.
  padding,        ///< Every second key could be confused with padding: the last key of the order, or all bits set.
  low_entropy,    ///< Few bits set: the AND of three random numbers.
  special,        ///< Both zeros, denormals, infinities, NaN, powers of two less one (all as bits), and random bits.
};

/// The name on the command line and in reports.
const char* name_of(Keys keys);
const char* name_of(KeyType type);
std::vector<std::string> keys_names();      ///< All names, in the order of the enumeration.
std::vector<std::string> key_type_names();  ///< Likewise.

/// A hash of 32 bits, as random numbers.
__host__ __device__ inline std::uint32_t random_bits(std::uint32_t seed, std::uint64_t place) {
  std::uint64_t z = (place + 1) * 0x9E3779B97F4A7C15ull + seed * 0xD1B54A32D192ED03ull;  // SplitMix64
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return static_cast<std::uint32_t>((z ^ (z >> 31)) >> 16);
}

namespace sort_input_detail {

// The bits of the float of this whole number, rounded towards 0.
__host__ __device__ inline std::uint32_t float_bits(std::int64_t number) {
  if (number == 0) return 0;
  const std::uint32_t sign = number < 0 ? 0x80000000u : 0u;
  std::uint64_t size = static_cast<std::uint64_t>(number < 0 ? -number : number);
  std::uint32_t exponent = 127 + 23;
  for (; size >= 0x1000000u; size >>= 1) ++exponent;
  for (; size < 0x800000u; size <<= 1) --exponent;
  return sign | (exponent << 23) | (static_cast<std::uint32_t>(size) & 0x7FFFFFu);
}

// Whole numbers from 0 to n as rising keys.
__host__ __device__ inline std::uint32_t rising(KeyType type, std::uint64_t number, std::uint64_t n) {
  const std::int64_t around_0 = static_cast<std::int64_t>(number) - static_cast<std::int64_t>(n / 2);
  if (type == KeyType::unsigned_ints) return static_cast<std::uint32_t>(number);
  return type == KeyType::signed_ints ? static_cast<std::uint32_t>(around_0) : float_bits(around_0);
}

__host__ __device__ inline std::uint32_t uniform(KeyType type, std::uint32_t bits) {
  if (type != KeyType::floats) return bits;
  const std::uint32_t number = float_bits(static_cast<std::int64_t>(bits >> 8) - 0x800000);
  return number == 0 ? 0 : number - (23u << 23);  // 2^-23 of it
}

__host__ __device__ inline std::uint32_t special(std::uint32_t bits) {
  constexpr std::uint32_t kBits[] = {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x7F800000,
                                     0xFF800000, 0x7FC00000, 0xFFC00000, 0x7F800001, 0xFF800001, 0x7FFFFFFF,
                                     0xFFFFFFFF, 0x3F800000, 0xBF800000, 0x807FFFFF};
  return bits % 4 == 0 ? bits : kBits[bits / 4 % 16];
}

}  // namespace sort_input_detail

/// Key number `place` of n.
__host__ __device__ inline std::uint32_t make_key(Keys keys, KeyType type, std::uint64_t place, std::uint64_t n,
                                                  std::uint32_t seed) {
  namespace detail = sort_input_detail;
  constexpr std::uint64_t kSawtooth = 1024;
  constexpr std::uint32_t kLast = 0xFFFFFFFFu;
  const std::uint32_t bits = random_bits(seed, place);
  switch (keys) {
    case Keys::uniform:
      break;
    case Keys::equal:
      return detail::rising(type, 42, 0);
    case Keys::zeros:
      return 0;
    case Keys::two:
      return detail::rising(type, bits % 2, 1000);
    case Keys::sorted:
      return detail::rising(type, place, n);
    case Keys::reversed:
      return detail::rising(type, n - 1 - place, n);
    case Keys::organ_pipe:
      return detail::rising(type, place < n / 2 ? place : n - 1 - place, n / 2);
    case Keys::sawtooth:
      return detail::rising(type, place % kSawtooth, kSawtooth);
    case Keys::nearly_sorted:
      return detail::rising(type, bits % 64 == 0 ? bits / 64 % n : place, n);
    case Keys::extremes:
      return key_of(bits % 2 == 0 ? 0 : kLast, type);
    case Keys::padding:
      if (place % 2 == 0) break;
      return bits % 4 == 0 ? kLast : key_of(kLast, type);
    case Keys::low_entropy: {
      const std::uint32_t few = bits & random_bits(seed + 1, place) & random_bits(seed + 2, place);
      return type == KeyType::floats ? few & 0xBFFFFFFFu : few;  // a finite number
    }
    case Keys::special:
      return detail::special(bits);
  }
  return detail::uniform(type, bits);
}

std::vector<std::uint32_t> make_keys(Keys keys, KeyType type, std::size_t n, std::uint32_t seed);

}  // namespace workbook
