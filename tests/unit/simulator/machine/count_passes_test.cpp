// SPDX-License-Identifier: MIT
// Sectors of global accesses and atomics against their definition, wherever the lanes lie.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "../isa/isa_helpers.h"
#include "state/lane_addresses.h"

namespace cudasim {
namespace {

class CountPassesTest : public ::testing::TestWithParam<Level> {};

TEST_P(CountPassesTest, SectorsOfGlobalMemory) {
  std::mt19937_64 random(5);
  const LaneKernels& kernels = lane_kernels(GetParam());
  for (int r = 0; r < 5000; ++r) {
    LaneAddresses at;
    at.how = LaneAddresses::How::apart;
    at.space = ptx::Space::global;
    at.bytes = 4;
    at.mask = random() % 2 == 0 ? ~0u : static_cast<Mask>(random()) | 1u << random() % 32;
    // Near each other, in two places that are far from each other, or far apart; often at one place.
    const std::uint64_t begin = random() >> 4 & ~3ull, words = 1ull << random() % 12, ways = random() % 3;
    const std::uint64_t step = ways == 0 ? 0 : ways == 1 ? 1ull << 40 : (1ull << 32) - 32;
    std::map<std::uint64_t, unsigned> lanes_of;
    for (unsigned lane = 0; lane < kWarpSize; ++lane) {
      at.address[lane] = begin + 4 * (random() % words) + step * (random() % 2);
      if ((at.mask >> lane & 1) != 0) ++lanes_of[at.address[lane]];
    }
    kernels.span(at.address, at.mask, at.span);
    std::map<std::uint64_t, unsigned> turns_of;
    for (const auto& [address, lanes] : lanes_of) turns_of[address / 32] = std::max(turns_of[address / 32], lanes);
    unsigned turns = 0;
    for (const auto& [sector, most] : turns_of) turns += most;
    const MemoryAccess load;
    AtomicAccess atomic;
    ASSERT_EQ(passes_of(kernels, load, at).sectors, turns_of.size()) << ways;
    ASSERT_EQ(atomic_passes(kernels, atomic, at).sectors, turns) << ways;
    at.how = LaneAddresses::How::coalesced;
    at.first = begin;
    at.spell_out();
    std::set<std::uint64_t> sectors;
    for (Mask m = at.mask; m != 0; m &= m - 1) sectors.insert(at.address[__builtin_ctz(m)] / 32);
    ASSERT_EQ(atomic_passes(kernels, atomic, at).sectors, sectors.size());
  }
}

INSTANTIATE_TEST_SUITE_P(All, CountPassesTest, ::testing::ValuesIn(levels_to_test()),
                         [](const auto& level) { return level_name(level.param); });

}  // namespace
}  // namespace cudasim
