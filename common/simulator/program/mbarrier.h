// SPDX-License-Identifier: MIT
// The word of an mbarrier, whose layout PTX leaves open. It has three parts.
// - 20 bits of arrivals that the phase still waits for;
// - 20 bits of arrivals that the next phase will wait for;
// - the number of the phase.
// The state that an arrival gives is the word before it.
#pragma once

#include <cstdint>

namespace cudasim::mbarrier {

constexpr unsigned kCountBits = 20;
constexpr std::uint64_t kCountMask = (std::uint64_t{1} << kCountBits) - 1;
constexpr unsigned kPhaseShift = 2 * kCountBits;

constexpr std::uint64_t pending(std::uint64_t word) { return word & kCountMask; }
constexpr std::uint64_t expected(std::uint64_t word) { return word >> kCountBits & kCountMask; }
constexpr std::uint64_t phase(std::uint64_t word) { return word >> kPhaseShift; }

constexpr std::uint64_t initial(std::uint32_t count) {
  return (std::uint64_t{count} & kCountMask) | (std::uint64_t{count} & kCountMask) << kCountBits;
}

/// The word after `count` arrivals. Arrivals that `drop` no longer take part in the next phase. More arrivals than are
/// pending are the program's error, for which PTX states no result: the phase then does not complete.
constexpr std::uint64_t after_arrival(std::uint64_t word, std::uint64_t count, bool drop) {
  const std::uint64_t next = (expected(word) - (drop ? count : 0)) & kCountMask;
  const std::uint64_t left = (pending(word) - count) & kCountMask;
  return left != 0 ? phase(word) << kPhaseShift | next << kCountBits | left
                   : (phase(word) + 1) << kPhaseShift | next << kCountBits | next;
}

}  // namespace cudasim::mbarrier
