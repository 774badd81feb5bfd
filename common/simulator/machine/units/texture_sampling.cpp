// SPDX-License-Identifier: MIT
// The arithmetic was measured on an H200. A coordinate from 0 to 1 is cut to 21 bits behind the point before it is
// multiplied by the extent. For the weights, places between texels are rounded to 8 bits, and so is the product of the
// two of a plane. The rest is exact, and rounded once, halves away from zero. A texture of one dimension is a plane of
// one row, read at its upper edge.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "program/texture.h"

namespace cudasim {
namespace {

using Words = std::array<std::uint32_t, 4>;
using Place = std::array<std::int64_t, 3>;

constexpr double kCoordinateSteps = 1 << 21;  // of a coordinate from 0 to 1
constexpr std::int64_t kWeightSteps = 256;

/// A coordinate in texels. A NaN counts as 0, as do subnormal numbers, and infinity where a mode wraps or mirrors.
double position(const Texture& texture, unsigned axis, float coordinate) {
  using Address = Texture::Address;
  const bool comes_round = texture.modes[axis] == Address::wrap || texture.modes[axis] == Address::mirror;
  if (std::isnan(coordinate) || (comes_round && std::isinf(coordinate)) || std::fpclassify(coordinate) == FP_SUBNORMAL)
    return 0;
  constexpr double kFar = 1 << 30;  // farther ones are whole and even numbers
  const double x = std::clamp(static_cast<double>(coordinate), -kFar, kFar);
  if (!texture.has_unit_extent) return x;
  return std::floor(x * kCoordinateSteps) / kCoordinateSteps * texture.extent[axis];
}

/// The texel's index along an axis, or -1 for the border.
std::int64_t index_of(std::int64_t i, std::int64_t extent, Texture::Address mode) {
  switch (mode) {
    case Texture::Address::wrap:
      return (i % extent + extent) % extent;
    case Texture::Address::clamp:
      return std::clamp<std::int64_t>(i, 0, extent - 1);
    case Texture::Address::mirror: {
      const std::int64_t twice = (i % (2 * extent) + 2 * extent) % (2 * extent);
      return twice < extent ? twice : 2 * extent - 1 - twice;
    }
    case Texture::Address::border:
      break;
  }
  return i >= 0 && i < extent ? i : -1;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float half(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31), fraction = static_cast<int>(bits & 1023);
  const float sign = (bits & 0x8000) != 0 ? -1.0f : 1.0f;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return sign * std::ldexp(static_cast<float>(exponent == 0 ? fraction : fraction + 1024), std::max(exponent, 1) - 25);
}

std::uint32_t component(const Texture& texture, const std::byte* at) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, texture.channel_bits / 8);
  if (texture.element == Texture::Element::floating) return texture.channel_bits == 32 ? bits : bits_of(half(bits));
  const auto largest = static_cast<double>((std::uint64_t{1} << texture.channel_bits) - 1);
  if (texture.element == Texture::Element::whole)
    return texture.reads_as_fraction ? bits_of(static_cast<float>(bits / largest)) : bits;
  const auto shift = 32 - texture.channel_bits;
  const std::int32_t value = static_cast<std::int32_t>(bits << shift) >> shift;
  if (!texture.reads_as_fraction) return static_cast<std::uint32_t>(value);
  return bits_of(static_cast<float>(std::max(value / ((largest - 1) / 2), -1.0)));
}

Words texel_at(const Texture& texture, const std::byte* at) {
  Words words{};
  for (unsigned c = 0; c < texture.channels; ++c) words[c] = component(texture, at + c * texture.channel_bits / 8);
  return words;
}

/// `place` may lie outside: the modes define the value there.
Words texel(const Texture& texture, const std::byte* texels, const Place& place, std::uint64_t layer) {
  Place index{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    index[axis] = index_of(place[axis], texture.extent[axis], texture.modes[axis]);
    if (index[axis] >= 0) continue;
    Words words{};
    for (unsigned c = 0; c < texture.channels; ++c) words[c] = bits_of(texture.border[c]);
    return words;
  }
  const auto slice = texture.layers != 0 ? layer : static_cast<std::uint64_t>(index[2]);
  return texel_at(texture, texels + slice * texture.slice_bytes +
                               static_cast<std::uint64_t>(index[1]) * texture.row_bytes +
                               static_cast<std::uint64_t>(index[0]) * texture.texel_bytes());
}

/// To the nearest float; halves away from zero.
float rounded(double value) {
  const auto nearest = static_cast<float>(value);
  const float away = std::nextafter(nearest, std::copysign(INFINITY, nearest));
  return nearest != value && std::fabs(away - value) == std::fabs(nearest - value) ? away : nearest;
}

Words filtered(const Texture& texture, const std::byte* texels, const std::array<double, 3>& position,
               std::uint64_t layer) {
  Place first{};
  std::int64_t part[2] = {};  // of the way to the next texel, in 256ths
  for (unsigned axis = 0; axis < 2; ++axis) {
    const auto steps = static_cast<std::int64_t>(std::floor((position[axis] - 0.5) * kWeightSteps + 0.5));
    part[axis] = ((steps % kWeightSteps) + kWeightSteps) % kWeightSteps;
    first[axis] = (steps - part[axis]) / kWeightSteps;
  }
  const std::int64_t both = (part[0] * part[1] + kWeightSteps / 2) / kWeightSteps;
  const std::int64_t weights[4] = {kWeightSteps - part[0] - part[1] + both, part[0] - both, part[1] - both, both};
  double sums[4] = {};
  for (unsigned corner = 0; corner < 4; ++corner) {
    if (weights[corner] == 0) continue;
    const Words words = texel(texture, texels, {first[0] + corner % 2, first[1] + corner / 2, 0}, layer);
    for (unsigned c = 0; c < texture.channels; ++c) {
      float value;
      std::memcpy(&value, &words[c], sizeof value);
      sums[c] += static_cast<double>(weights[corner]) * value;
    }
  }
  Words words{};
  for (unsigned c = 0; c < texture.channels; ++c) words[c] = bits_of(rounded(sums[c] / kWeightSteps));
  return words;
}

}  // namespace

std::uint64_t Texture::bytes() const {
  const std::uint64_t slices = layers != 0 ? layers : extent[2];
  return (slices - 1) * slice_bytes + (extent[1] - 1) * row_bytes + extent[0] * texel_bytes();
}

Words fetch(const Texture& texture, const std::byte* texels, const std::array<float, 3>& coordinates,
            std::uint32_t layer) {
  std::array<double, 3> at{};
  for (unsigned axis = 0; axis < texture.dimensions; ++axis) at[axis] = position(texture, axis, coordinates[axis]);
  if (texture.layers != 0) layer = std::min(layer, texture.layers - 1);
  if (texture.is_filtered) return filtered(texture, texels, at, layer);
  Place nearest{};
  for (unsigned axis = 0; axis < 3; ++axis) nearest[axis] = static_cast<std::int64_t>(std::floor(at[axis]));
  return texel(texture, texels, nearest, layer);
}

Words fetch(const Texture& texture, const std::byte* texels, std::int32_t index) {
  if (index < 0 || static_cast<std::uint32_t>(index) >= texture.extent[0]) return {};
  return texel_at(texture, texels + static_cast<std::uint64_t>(index) * texture.texel_bytes());
}

}  // namespace cudasim
