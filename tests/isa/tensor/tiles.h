// SPDX-License-Identifier: MIT
// The elements of test tiles for mma. Each is a function of its place and of the tile's number. So a GPU, the simulator
// and a model make the same ones with nothing to carry between them. A tile's number gives its kind. Kinds are plain
// values, zeros of both signs, subnormals, infinities and NaNs, overflow, sums that cancel, exponents far apart.
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define TILES_FUNCTION __host__ __device__ inline
#else
#define TILES_FUNCTION inline
#endif

namespace tiles {

enum class Kind : int { plain, any_bits, zeros, tiny, special, huge, cancelling, sparse, far_apart, zero_beside_huge };
constexpr int kinds = 10;

enum class Element : int { f16, bf16, tf32, f32, f64, s8, u8, s32 };

struct Layout {
  int exponent_bits, mantissa_bits, unused_bits;  // tf32: a multiplication looks at the upper 19 bits of 32
};
TILES_FUNCTION Layout layout_of(Element element) {
  switch (element) {
    case Element::f16:
      return {5, 10, 0};
    case Element::bf16:
      return {8, 7, 0};
    case Element::tf32:
      return {8, 10, 13};
    case Element::f64:
      return {11, 52, 0};
    default:
      return {8, 23, 0};
  }
}

TILES_FUNCTION std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

TILES_FUNCTION int below(std::uint64_t bits, int count) {
  return static_cast<int>((bits & 0xffffff) * static_cast<std::uint64_t>(count) >> 24);
}

TILES_FUNCTION std::uint64_t integer_element(Kind kind, Element element, std::uint64_t r) {
  const std::uint64_t all = element == Element::s32 ? 0xffffffffu : 0xffu;
  if (kind == Kind::plain || kind == Kind::any_bits) return r >> 32 & all;
  if (element == Element::s32) {  // near both ends, and near zero
    const std::uint64_t near = (r >> 32 & 0x3ffff) - 0x20000;
    return ((r >> 8 & 3) == 0 ? near : (r >> 8 & 1) ? 0x7fffffffu + near : 0x80000000u + near) & all;
  }
  const std::uint64_t ends[] = {0x80, 0x7f, 0xff, 0x00, 0x01, 0x81, 0xfe, 0x80};
  return (r >> 3 & 3) == 0 ? r >> 32 & 0xff : ends[r >> 8 & 7];
}

/// Element (row, column) of operand 0 (A), 1 (B) or 2 (C) of a tile; `along` is its index in the sum, of C 0.
TILES_FUNCTION std::uint64_t element(Element type, std::uint64_t tile, int operand, int row, int column, int along,
                                     int length) {
  const auto kind = static_cast<Kind>(tile % kinds);
  const std::uint64_t seed = mix(tile * 4 + static_cast<std::uint64_t>(operand) + 0x51ed2700);
  const bool pairs = kind == Kind::cancelling && operand != 2;
  // Two neighbours of a cancelling sum have the same factors, of which one changes its sign.
  const int at_row = pairs && operand == 1 ? row & ~1 : row, at_column = pairs && operand == 0 ? column & ~1 : column;
  std::uint64_t r = mix(seed ^ static_cast<std::uint64_t>(at_row * 64 + at_column) * 0x2545f4914f6cdd1du);
  if (type == Element::s8 || type == Element::u8 || type == Element::s32) return integer_element(kind, type, r);

  const Layout layout = layout_of(type);
  const int most = (1 << layout.exponent_bits) - 1, bias = most / 2;
  const std::uint64_t fraction_mask = (std::uint64_t{1} << (layout.mantissa_bits + layout.unused_bits)) - 1;
  const std::uint64_t sign_place =
      static_cast<std::uint64_t>(layout.exponent_bits + layout.mantissa_bits + layout.unused_bits);
  std::uint64_t sign = r >> 63;
  std::uint64_t fraction = (operand == 2 && (tile / kinds) % 2 == 0 ? mix(r) : r >> 11) & fraction_mask;
  const std::uint64_t choice = mix(r ^ 0x77);
  const int c = below(choice, 1 << 20);
  int exponent = bias;
  // C is as large as the products, or a number of tiles larger or smaller.
  const int shift = operand == 2 ? below(seed, 61) - 30 : 0;
  switch (kind) {
    case Kind::plain:
      exponent = bias + c % 8 - 4 + (operand == 2 ? c / 8 % 5 - 2 : 0);
      break;
    case Kind::any_bits:
      exponent = c % most;
      break;
    case Kind::zeros:
      exponent = bias + c % 21 - 10 + shift / 2;
      if ((choice >> 40 & 3) != 0) exponent = 0, fraction = 0;
      break;
    case Kind::tiny:
      if (operand == 0) exponent = c % 4;
      if (operand == 1) exponent = layout.exponent_bits == 5 ? below(seed, 15) + c % 3 : bias - below(seed, 40) + c % 8;
      if (operand == 2) exponent = (seed >> 30 & 1) != 0 ? c % 3 : c % 40;
      if ((choice >> 40 & 15) == 0) exponent = 0, fraction = 0;
      break;
    case Kind::special:
      exponent = bias + c % 8 - 4;
      if (c % 61 == 0) exponent = 0, fraction = 0;
      if (c % 67 == 0) exponent = most, fraction = 0;
      if (c % 251 == 0) exponent = most;
      if (c % 257 == 0) exponent = most, fraction = 1;
      break;
    case Kind::huge:
      exponent = operand == 2 ? most - 1 - c % 3 - ((seed >> 20 & 1) != 0 ? 8 : 0) : bias + bias / 2 + c % 4 - 1;
      if (type == Element::f16) exponent = bias + (operand == 2 ? 15 - c % 3 : 5 + c % 4);
      break;
    case Kind::cancelling:
      exponent = bias + c % 12 - 6;
      if (operand == 2) exponent = bias - below(seed, 40) + 6;
      break;
    case Kind::sparse:
      exponent = bias + c % 31 - 15 + shift;
      if (operand == 0 &&
          mix(seed + static_cast<std::uint64_t>(row)) % static_cast<std::uint64_t>(length) !=
              static_cast<std::uint64_t>(along) &&
          mix(seed + 99 + static_cast<std::uint64_t>(row)) % static_cast<std::uint64_t>(length) !=
              static_cast<std::uint64_t>(along)) {
        exponent = 0, fraction = 0;
      }
      break;
    case Kind::far_apart:
      exponent = bias + c % 28 - 14 + shift;
      if ((choice >> 40 & 3) == 0) fraction = 0;
      break;
    case Kind::zero_beside_huge:  // a zero's partner is the largest number of the tile
      exponent = bias + c % 9 - 4 + shift / 2;
      if (operand != 2 && (along + static_cast<int>(seed % 3)) % 4 == 0) {
        const bool zero = (operand == 0) == ((along / 4) % 2 == 0);
        exponent = zero ? 0 : most - 1 - c % (most / 4);
        if (zero) fraction = (seed >> 30 & 3) == 0 ? fraction & 7 : 0;
      }
      break;
  }
  if (exponent < 0) exponent = 0;
  if (exponent >= most && kind != Kind::special) exponent = most - 1;
  if (pairs && (along & 1) != 0) {
    if (operand == 1) sign ^= 1;
    if (operand == 0 && (choice >> 44 & 7) == 0) fraction ^= std::uint64_t{1} << layout.unused_bits;
  }
  return sign << sign_place | static_cast<std::uint64_t>(exponent) << (layout.mantissa_bits + layout.unused_bits) |
         fraction;
}

}  // namespace tiles
