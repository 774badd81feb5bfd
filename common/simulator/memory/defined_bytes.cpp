// SPDX-License-Identifier: MIT
#include "memory/defined_bytes.h"

#include <algorithm>
#include <new>

namespace cudasim::written {
namespace {

/// Up to 64 bits from anywhere.
std::uint64_t stretch(const std::uint64_t* bits, std::uint64_t begin) {
  const std::uint64_t low = load(bits + begin / 64) >> (begin % 64);
  return begin % 64 == 0 ? low : low | load(bits + begin / 64 + 1) << (64 - begin % 64);
}

}  // namespace

WrittenBits make(std::uint64_t bytes) {
  WrittenBits bits(static_cast<std::uint64_t*>(std::calloc(words_for(bytes), sizeof(std::uint64_t))));
  if (!bits) throw std::bad_alloc();
  return bits;
}

void copy(std::uint64_t* to, std::uint64_t to_begin, const std::uint64_t* from, std::uint64_t from_begin,
          std::uint64_t count) {
  const bool backwards = to == from && to_begin > from_begin;
  for (std::uint64_t done = 0; done < count;) {
    // A piece ends where a word of `to` ends. When the pieces are taken from the back, it begins there.
    const std::uint64_t edge = backwards ? (to_begin + count - done) % 64 : (to_begin + done) % 64;
    const std::uint64_t room = backwards ? (edge == 0 ? 64 : edge) : 64 - edge;
    const std::uint64_t piece = std::min(room, count - done);
    const std::uint64_t at = backwards ? count - done - piece : done;
    const std::uint64_t mask = (~0ull >> (64 - piece)) << ((to_begin + at) % 64);
    const std::uint64_t value = stretch(from, from_begin + at) << ((to_begin + at) % 64);
    std::uint64_t* const word = to + (to_begin + at) / 64;
    *word = (*word & ~mask) | (value & mask);
    done += piece;
  }
}

std::uint64_t count(const std::uint64_t* bits, std::uint64_t bytes) {
  std::uint64_t result = 0;
  for_each_word(0, bytes, [&](std::uint64_t w, std::uint64_t mask) {
    result += static_cast<unsigned>(__builtin_popcountll(load(bits + w) & mask));
    return true;
  });
  return result;
}

std::uint64_t find(const std::uint64_t* bits, std::uint64_t begin, std::uint64_t end, bool wanted) {
  std::uint64_t result = end;
  for_each_word(begin, end - begin, [&](std::uint64_t w, std::uint64_t mask) {
    const std::uint64_t hits = (wanted ? load(bits + w) : ~load(bits + w)) & mask;
    if (hits == 0) return true;
    result = w * 64 + static_cast<unsigned>(__builtin_ctzll(hits));
    return false;
  });
  return result;
}

}  // namespace cudasim::written
