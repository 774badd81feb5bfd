// SPDX-License-Identifier: MIT
// Undefined bytes of what is copied to the host: padding is silent, missing elements are found.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "checkers/init/initialised.h"
#include "memory/defined_bytes.h"
#include "memory/memory.h"

namespace cudasim {
namespace {

/// Findings of a copy of `bytes` bytes of which those in `holes` (offset, length) were not written.
std::size_t findings_of_copy(std::uint64_t bytes, const std::vector<std::pair<std::uint64_t, std::uint64_t>>& holes) {
  Memory memory(64 << 20);
  memory.watch_writes();
  const auto* allocation = memory.allocate(bytes, Origin::cuda_malloc);
  written::set(allocation->written.get(), 0, bytes);
  for (const auto& [offset, length] : holes) written::clear(allocation->written.get(), offset, length);
  InitChecker checker;
  InitChecker::Result result;
  checker.look_at_row(result, *allocation, 0, bytes);
  return checker.findings_of(result, *allocation, {"cudaMemcpy"}, "").size();
}

TEST(Copied, PaddingIsSilentAndMissingElementsAreNot) {
  EXPECT_EQ(findings_of_copy(4096, {}), 0u);
  EXPECT_EQ(findings_of_copy(4, {{0, 4}}), 1u) << "all of it";
  EXPECT_EQ(findings_of_copy(16, {{12, 4}}), 0u) << "the padding of one struct";
  EXPECT_EQ(findings_of_copy(4096, {{4092, 4}}), 1u) << "the last element";
  EXPECT_EQ(findings_of_copy(4096, {{4, 4}, {20, 4}, {36, 4}}), 0u) << "the padding of many";
  EXPECT_EQ(findings_of_copy(4096, {{1, 7}, {17, 7}}), 0u);
  EXPECT_EQ(findings_of_copy(4096, {{1024, 16}}), 1u);
  EXPECT_EQ(findings_of_copy(4096, {{1025, 3}}), 0u);
}

TEST(Copied, WordsThatAreMissingAtNoRegularDistanceAreNoPadding) {
  using Holes = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  const auto every = [](std::uint64_t first, std::uint64_t distance) {
    Holes holes;
    for (std::uint64_t at = first; at + 4 <= 4096; at += distance) holes.emplace_back(at, 4);
    return holes;
  };
  EXPECT_EQ(findings_of_copy(4096, {{1020, 4}, {2044, 4}}), 1u) << "the last element of two blocks";
  EXPECT_EQ(findings_of_copy(4096, every(1020, 1024)), 1u) << "of four blocks";
  EXPECT_EQ(findings_of_copy(4096, every(0, 132)), 1u) << "each 33rd element";
  EXPECT_EQ(findings_of_copy(4096, {{8, 4}, {40, 4}, {100, 4}, {120, 4}, {200, 4}, {208, 4}}), 1u) << "anywhere";
  EXPECT_EQ(findings_of_copy(4096, every(12, 16)), 0u) << "padding";
  EXPECT_EQ(findings_of_copy(4096, every(100, 120)), 0u) << "of long structs";
  Holes two_paddings = every(4, 40), others = every(36, 40);
  two_paddings.insert(two_paddings.end(), others.begin(), others.end());
  EXPECT_EQ(findings_of_copy(4096, two_paddings), 0u) << "of structs with two";
}

TEST(Copied, BitsAreMovedSetAndFoundAsInAModel) {
  std::mt19937 random(1);
  constexpr std::size_t size = 400;
  std::vector<bool> model[2] = {std::vector<bool>(size), std::vector<bool>(size)};
  WrittenBits bits[2] = {written::make(size), written::make(size)};
  for (int step = 0; step < 20000; ++step) {
    const std::size_t begin = random() % size, count = random() % (size - begin + 1),
                      to = random() % (size - count + 1);
    const unsigned a = random() % 2, b = random() % 2;
    switch (random() % 3) {
      case 0:
        written::set(bits[a].get(), begin, count);
        std::fill_n(model[a].begin() + static_cast<std::ptrdiff_t>(begin), count, true);
        break;
      case 1:
        written::clear(bits[a].get(), begin, count);
        std::fill_n(model[a].begin() + static_cast<std::ptrdiff_t>(begin), count, false);
        break;
      default: {
        const std::vector<bool> from = model[b];
        written::copy(bits[a].get(), to, bits[b].get(), begin, count);
        for (std::size_t i = 0; i < count; ++i) model[a][to + i] = from[begin + i];
      }
    }
    std::size_t set = 0;
    for (std::size_t i = begin; i < begin + count; ++i) set += model[a][i];
    ASSERT_EQ(written::all(bits[a].get(), begin, count), set == count);
    ASSERT_EQ(written::none(bits[a].get(), begin, count), set == 0);
    for (const bool wanted : {false, true}) {
      std::size_t found = begin;
      while (found < begin + count && model[a][found] != wanted) ++found;
      ASSERT_EQ(written::find(bits[a].get(), begin, begin + count, wanted), found);
    }
  }
}

}  // namespace
}  // namespace cudasim
