// SPDX-License-Identifier: MIT
// The word of an mbarrier, whose layout PTX leaves open. It has three parts.
// - 20 bits of arrivals that the phase still waits for;
// - 20 bits of arrivals that the next phase will wait for;
// - the number of the phase.
// The state that an arrival gives is the word before it.
#pragma once

#include <cstdint>

namespace cudasim::mbarrier {

constexpr unsigned count_bits = 20;
constexpr std::uint64_t count_mask = (std::uint64_t{1} << count_bits) - 1;
constexpr unsigned phase_shift = 2 * count_bits;

constexpr std::uint64_t pending(std::uint64_t word) { return word & count_mask; }
constexpr std::uint64_t expected(std::uint64_t word) { return word >> count_bits & count_mask; }
constexpr std::uint64_t phase(std::uint64_t word) { return word >> phase_shift; }

constexpr std::uint64_t initial(std::uint32_t count) {
  return (std::uint64_t{count} & count_mask) | (std::uint64_t{count} & count_mask) << count_bits;
}

/// The word after `count` arrivals. Arrivals that `drop` no longer take part in the next phase. More arrivals than are
/// pending are the program's error, for which PTX states no result: the phase then does not complete.
constexpr std::uint64_t after_arrival(std::uint64_t word, std::uint64_t count, bool drop) {
  const std::uint64_t next = (expected(word) - (drop ? count : 0)) & count_mask;
  const std::uint64_t left = (pending(word) - count) & count_mask;
  return left != 0 ? phase(word) << phase_shift | next << count_bits | left
                   : (phase(word) + 1) << phase_shift | next << count_bits | next;
}

}  // namespace cudasim::mbarrier
