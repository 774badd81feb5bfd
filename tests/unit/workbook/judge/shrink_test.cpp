// SPDX-License-Identifier: MIT
// The search for a smaller case, over conditions that a test makes up.
#include "workbook/judge/shrink.h"

#include <gtest/gtest.h>

namespace workbook {
namespace {

const std::vector<dim3> kShapes{{32}, {64}, {128}};

Settings settings_of(Sizes sizes, unsigned block) {
  Settings settings;
  settings.sizes = std::move(sizes);
  settings.block = dim3(block);
  return settings;
}

// The smallest case with `fails`, from one that is known to fail.
template <typename Fails>
Settings smallest(const Settings& failing, Fails fails, int* asked = nullptr) {
  return smallest_failing(failing, kShapes, [&](const Settings& settings) {
    if (asked != nullptr) ++*asked;
    return fails(settings);
  });
}

TEST(SmallestFailing, IsTheSmallestOfOneExtent) {
  for (const std::size_t limit : {1u, 2u, 33u, 40u, 41u, 100u, 257u, 260u, 1003u}) {
    const Settings found =
        smallest(settings_of({1003}, 64), [limit](const Settings& settings) { return settings.size() >= limit; });
    EXPECT_EQ(found.sizes, Sizes{limit});
    EXPECT_EQ(found.block.x, 32u);
  }
}

TEST(SmallestFailing, KeepsTheBlockWhereTheSmallestOneIsRight) {
  const Settings found = smallest(settings_of({1003}, 128), [](const Settings& settings) {
    return settings.block.x == 128 && settings.size() % 32 == 1;
  });
  EXPECT_EQ(found.sizes, Sizes{1});
  EXPECT_EQ(found.block.x, 128u);
}

TEST(SmallestFailing, TakesTheSmallestBlockThatFailsWithThatSize) {
  const Settings found = smallest(settings_of({1003}, 128), [](const Settings& settings) {
    return settings.block.x >= 64 && settings.size() >= 33;
  });
  EXPECT_EQ(found.sizes, Sizes{33});
  EXPECT_EQ(found.block.x, 64u);
}

TEST(SmallestFailing, OfTwoExtentsEachIsAsSmallAsCanBe) {
  const Settings found = smallest(settings_of({100, 37}, 32), [](const Settings& settings) {
    return settings.sizes[0] >= 50 && settings.sizes[1] >= 3;
  });
  EXPECT_EQ(found.sizes, (Sizes{50, 3}));
}

TEST(SmallestFailing, IsTheCaseItselfWhereNoOtherFails) {
  const Settings itself = settings_of({1'000'003}, 128);
  int asked = 0;
  const Settings found = smallest(
      itself, [](const Settings& settings) { return settings.size() == 1'000'003; }, &asked);
  EXPECT_EQ(found.sizes, itself.sizes);
  EXPECT_LT(asked, 300);
  EXPECT_EQ(smallest(itself, [](const Settings&) { return false; }).sizes, itself.sizes);
}

TEST(SmallestFailing, OfNothingIsNothing) {
  EXPECT_EQ(smallest(settings_of({0}, 32), [](const Settings&) { return true; }).sizes, Sizes{0});
}

}  // namespace
}  // namespace workbook
