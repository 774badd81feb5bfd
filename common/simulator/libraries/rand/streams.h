// SPDX-License-Identifier: MIT
// The three sequences of random bits. On a GPU many threads draw from one sequence, each from a part of its own far
// behind that of the thread before (cuRAND: subsequence). A stream here is such a thread's part.
// Sources: Marsaglia, "Xorshift RNGs" (2003); L'Ecuyer, "Good Parameters and Implementations for Combined Multiple
// Recursive Random Number Generators" (1999); Salmon et al., "Parallel Random Numbers: As Easy as 1, 2, 3" (2011). The
// seeds are made into states as in cuRAND's device functions.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace cudasim {

/// Marsaglia's xorwow: 160 bits of xorshift, and a counter.
struct Xorwow {
  static constexpr std::uint64_t kThreads = 4096;
  std::array<std::uint32_t, 5> v{};
  std::uint32_t d = 0;

  std::uint32_t bits() {
    const std::uint32_t t = v[0] ^ (v[0] >> 2);
    v = {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1))};
    d += 362437;
    return v[4] + d;
  }
};

/// L'Ecuyer's MRG32k3a.
struct Mrg32k3a {
  static constexpr std::uint64_t kThreads = 81920, kLegacyThreads = 4096;
  std::array<std::uint32_t, 3> a{}, b{};

  /// From 1 to 4294967087.
  std::uint32_t draw();
  std::uint32_t bits() { return static_cast<std::uint32_t>(draw() * 1.000000048662); }
};

/// Philox4x32-10: the four words of a block, which a counter and the number of the thread choose.
struct Philox {
  static constexpr std::uint64_t kThreads = 65536;
  static std::array<std::uint32_t, 4> block(std::uint64_t counter, std::uint64_t thread, std::uint64_t seed);
};

/// The threads' streams, of which the first `offset` numbers, taken in turns, are skipped.
std::vector<Xorwow> xorwow_streams(std::uint64_t seed, std::uint64_t offset);
std::vector<Mrg32k3a> mrg_streams(std::uint64_t seed, std::uint64_t offset, std::uint64_t threads);

}  // namespace cudasim
