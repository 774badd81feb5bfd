// SPDX-License-Identifier: MIT
// A block is a row of sequences: token, literals, offset of a match, match. Every length is checked before use.
#include "runtime/base/lz4.h"

#include <cstdint>

namespace cudasim {
namespace {

constexpr std::size_t kShortestMatch = 4;

/// The rest of a length whose four bits in the token were 15: bytes of 255, then a smaller one.
bool read_length(std::string_view block, std::size_t& at, std::size_t limit, std::size_t& length) {
  if (length != 15) return true;
  for (std::uint8_t byte = 255; byte == 255;) {
    if (at >= block.size() || length > limit) return false;
    byte = static_cast<std::uint8_t>(block[at++]);
    length += byte;
  }
  return true;
}

}  // namespace

bool decompress_lz4_block(std::string_view block, std::size_t output_bytes, std::string& output) {
  output.clear();
  std::size_t at = 0;
  while (at < block.size()) {
    const auto token = static_cast<std::uint8_t>(block[at++]);
    std::size_t literals = token >> 4;
    if (!read_length(block, at, output_bytes, literals)) return false;
    if (literals > block.size() - at || literals > output_bytes - output.size()) return false;
    output.append(block, at, literals);
    at += literals;
    if (at == block.size()) break;  // the last sequence has no match

    if (block.size() - at < 2) return false;
    const std::size_t offset =
        static_cast<std::uint8_t>(block[at]) | (std::size_t{static_cast<std::uint8_t>(block[at + 1])} << 8);
    at += 2;
    std::size_t match = token & 15;
    if (!read_length(block, at, output_bytes, match)) return false;
    match += kShortestMatch;
    if (offset == 0 || offset > output.size() || match > output_bytes - output.size()) return false;
    // Byte by byte: a match may overlap its own output, which is how runs are stored.
    for (std::size_t i = 0; i < match; ++i) output.push_back(output[output.size() - offset]);
  }
  return output.size() == output_bytes;
}

}  // namespace cudasim
