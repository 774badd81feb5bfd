// SPDX-License-Identifier: MIT
// Which bytes of a stretch of memory hold a defined value: one bit a byte, set by writes of defined values (Memcheck:
// validity bits). Workers may change bits of one word at the same time, when two blocks write neighbouring bytes, so
// changes are atomic. Blocks that read what others write in the same launch run on one worker, so no memory order is
// needed.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>

namespace cudasim {

struct FreeBits {
  void operator()(std::uint64_t* bits) const { std::free(bits); }
};
/// Zeroed pages that the host gives when they are touched: a large allocation costs only what is used.
using WrittenBits = std::unique_ptr<std::uint64_t, FreeBits>;

namespace written {

/// Bits for `bytes` bytes, none of which is written, and one word more: a stretch may be read in unaligned words.
inline std::size_t words_for(std::uint64_t bytes) { return static_cast<std::size_t>(bytes / 64 + 2); }
WrittenBits make(std::uint64_t bytes);

inline std::uint64_t load(const std::uint64_t* word) { return __atomic_load_n(word, __ATOMIC_RELAXED); }

/// visit(word index, mask) for each word of [begin, begin + count), until it returns false. False if it did.
template <class Visit>
inline bool for_each_word(std::uint64_t begin, std::uint64_t count, Visit visit) {
  const std::uint64_t end = begin + count;
  for (std::uint64_t w = begin / 64; w * 64 < end; ++w) {
    std::uint64_t mask = ~0ull;
    if (w * 64 < begin) mask &= ~0ull << (begin % 64);
    if (w * 64 + 64 > end) mask &= ~0ull >> (64 - end % 64);
    if (!visit(w, mask)) return false;
  }
  return true;
}

inline bool all(const std::uint64_t* bits, std::uint64_t begin, std::uint64_t count) {
  return for_each_word(begin, count,
                       [=](std::uint64_t w, std::uint64_t mask) { return (~load(bits + w) & mask) == 0; });
}
inline bool none(const std::uint64_t* bits, std::uint64_t begin, std::uint64_t count) {
  return for_each_word(begin, count, [=](std::uint64_t w, std::uint64_t mask) { return (load(bits + w) & mask) == 0; });
}
inline void set(std::uint64_t* bits, std::uint64_t begin, std::uint64_t count) {
  for_each_word(begin, count, [=](std::uint64_t w, std::uint64_t mask) {
    // Most words are set already. A look costs much less than an atomic update.
    if ((~load(bits + w) & mask) == 0) return true;
    if (mask == ~0ull) {
      __atomic_store_n(bits + w, mask, __ATOMIC_RELAXED);
    } else {
      __atomic_fetch_or(bits + w, mask, __ATOMIC_RELAXED);
    }
    return true;
  });
}
inline void clear(std::uint64_t* bits, std::uint64_t begin, std::uint64_t count) {
  for_each_word(begin, count, [=](std::uint64_t w, std::uint64_t mask) {
    if ((load(bits + w) & mask) != 0) __atomic_fetch_and(bits + w, ~mask, __ATOMIC_RELAXED);
    return true;
  });
}
/// The same for memory that a copy moved. The stretches may overlap.
void copy(std::uint64_t* to, std::uint64_t to_begin, const std::uint64_t* from, std::uint64_t from_begin,
          std::uint64_t count);

/// How many of the first `bytes` bits are set.
std::uint64_t count(const std::uint64_t* bits, std::uint64_t bytes);

/// The next byte of [begin, end) that is written (`wanted`) or is not; `end` if there is none.
std::uint64_t find(const std::uint64_t* bits, std::uint64_t begin, std::uint64_t end, bool wanted);

}  // namespace written
}  // namespace cudasim
