// SPDX-License-Identifier: MIT
// Textures: how texels lie in device memory, and which of them a fetch reads (CUDA C++ Programming Guide, "Texture
// Fetching"). The bits of a result are those of an H200. A fetch has no side effects, and no checker watches its reads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>

namespace cudasim {

struct Texture {
  enum class Element : std::uint8_t { whole, signed_whole, floating };
  enum class Address : std::uint8_t { wrap, clamp, mirror, border };

  std::uint64_t address = 0;  ///< of the first texel
  std::uint64_t row_bytes = 0, slice_bytes = 0;
  std::array<std::uint32_t, 3> extent{1, 1, 1};  ///< in texels; of a layered texture the last is not used
  std::uint32_t layers = 0;                      ///< 0: not layered
  unsigned dimensions = 1;
  bool is_plain_memory = false;  ///< fetched by whole numbers alone, without any mode
  Element element = Element::floating;
  unsigned channels = 1, channel_bits = 32;
  std::array<Address, 3> modes{};
  bool is_filtered = false;        ///< linear, else the nearest texel
  bool has_unit_extent = false;    ///< coordinates from 0 to 1, whatever the extent
  bool reads_as_fraction = false;  ///< whole numbers become floats from 0, or -1, to 1
  std::array<float, 4> border{};

  std::uint64_t texel_bytes() const { return std::uint64_t{channels} * channel_bits / 8; }
  /// From the first texel to behind the last.
  std::uint64_t bytes() const;
};

/// By handle, which is what a cudaTextureObject_t holds.
using TextureTable = std::map<std::uint64_t, Texture>;

/// The four words of a fetch. `texels`: where `address` lies in this process. A layer beyond the last reads the last
/// one.
std::array<std::uint32_t, 4> fetch(const Texture& texture, const std::byte* texels,
                                   const std::array<float, 3>& coordinates, std::uint32_t layer);
/// The same for plain memory, by the number of the texel; zero beyond its end.
std::array<std::uint32_t, 4> fetch(const Texture& texture, const std::byte* texels, std::int32_t index);

}  // namespace cudasim
