// SPDX-License-Identifier: MIT
#include "state/block_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace cudasim {
namespace {

TEST(BlockOrder, ChangesPlacesWithinAWindowOnly) {
  for (const auto kind : {BlockOrder::Kind::reversed, BlockOrder::Kind::random}) {
    BlockOrder order(25, 10, kind, 1);
    bool is_plain = true;
    for (std::uint64_t begin = 0; begin < 25; begin += 10) {
      std::set<std::uint64_t> seen;
      const std::uint64_t end = std::min<std::uint64_t>(begin + 10, 25);
      for (std::uint64_t i = begin; i < end; ++i) {
        seen.insert(order[i]);
        is_plain = is_plain && order[i] == i;
      }
      EXPECT_EQ(seen.size(), end - begin);
      EXPECT_EQ(*seen.begin(), begin);
      EXPECT_EQ(*seen.rbegin(), end - 1);
    }
    EXPECT_FALSE(is_plain);
  }
}

TEST(BlockOrder, IsTheSameForOneSeed) {
  BlockOrder one(100, 100, BlockOrder::Kind::random, 7), same(100, 100, BlockOrder::Kind::random, 7),
      other(100, 100, BlockOrder::Kind::random, 8);
  bool is_other = false;
  for (std::uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(one[i], same[i]);
    is_other = is_other || one[i] != other[i];
  }
  EXPECT_TRUE(is_other);
}

TEST(BlockOrder, KeepsOneWindowOfTheLargestGrid) {
  BlockOrder order(std::uint64_t{0x7fffffff} * 65535 * 65535, 264, BlockOrder::Kind::reversed, 0);
  EXPECT_FALSE(order.empty());
  EXPECT_EQ(order[0], 263u);
  EXPECT_EQ(order[264], 527u);
  EXPECT_TRUE(BlockOrder().empty());
}

}  // namespace
}  // namespace cudasim
