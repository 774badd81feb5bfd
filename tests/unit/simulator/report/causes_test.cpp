// SPDX-License-Identifier: MIT
// Which lines read what may not be there yet, by the findings about them.
#include "messages/causes.h"

#include <gtest/gtest.h>

namespace cudasim {
namespace {

TEST(Causes, EachSideOfARaceThatReadsIsEarly) {
  Finding race;
  race.kind = FindingKind::race;
  race.ptx_line = 5;
  race.other.emplace();
  race.other->ptx_line = 9;
  EXPECT_EQ(early_reads(race), (std::set<int>{5, 9}));
  race.is_store = true;
  EXPECT_EQ(early_reads(race), (std::set<int>{9})) << "the access that came first reads, and the later one writes";
  race.other->is_store = true;
  EXPECT_TRUE(early_reads(race).empty());
  race.is_atomic = true;
  EXPECT_EQ(early_reads(race), (std::set<int>{5})) << "an atomic reads, too";
  race.kind = FindingKind::uninitialised;
  EXPECT_TRUE(early_reads(race).empty());
}

}  // namespace
}  // namespace cudasim
