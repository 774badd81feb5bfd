// SPDX-License-Identifier: MIT
#include "ptx/video_selectors.h"

#include <gtest/gtest.h>

#include <vector>

namespace cudasim::ptx {
namespace {

using Selectors = std::vector<std::string_view>;

constexpr std::uint64_t kRefused = ~0ull;

/// The number that these selectors become.
std::uint64_t number_of(const char* opcode, const Selectors& selectors) {
  Instruction instruction;
  instruction.opcode = opcode;
  instruction.operands.resize(selectors.size());
  if (!add_selectors(instruction, selectors)) return kRefused;
  EXPECT_EQ(instruction.operands.size(), 5u);
  return instruction.operands.back().bits;
}

TEST(VideoSelectors, BecomeOneNumber) {
  EXPECT_EQ(number_of("vadd.u32.u32.u32", {"", "b0", "h1"}), 1u << 3 | 6);
  EXPECT_EQ(number_of("vadd.u32.u32.u32", {"h0", "", "b3", ""}), 5u << 6 | 4);
  EXPECT_EQ(number_of("vadd2.u32.u32.u32", {"h10", "h10", "h32", ""}), 0u);
  EXPECT_EQ(number_of("vadd2.u32.u32.u32", {"h0", "h01", "", ""}), 1u | 1u << 3 | 2u << 24);
  EXPECT_EQ(number_of("vset4.u32.u32.ne", {"b3210", "b3210", "b7654", ""}), 0u);
}

TEST(VideoSelectors, ThatNoInstructionHasAreRefused) {
  EXPECT_EQ(number_of("vadd.u32.u32.u32", {"", "b4", ""}), kRefused);
  EXPECT_EQ(number_of("vadd.u32.u32.u32", {"b0", "", ""}), kRefused) << "a part of d needs a third source";
  EXPECT_EQ(number_of("vadd.u32.u32.u32", {"", "", "", "b0"}), kRefused);
  EXPECT_EQ(number_of("vadd2.u32.u32.u32", {"", "h4", "", ""}), kRefused);
  EXPECT_EQ(number_of("vadd2.u32.u32.u32", {"h2", "", "", ""}), kRefused);
  EXPECT_EQ(number_of("vadd4.u32.u32.u32", {"b012", "", "", ""}), kRefused);
  EXPECT_EQ(number_of("vadd4.u32.u32.u32", {"b", "", "", ""}), kRefused);
  EXPECT_EQ(number_of("vadd4.u32.u32.u32", {"", "b012", "", ""}), kRefused);
}

TEST(VideoSelectors, WhereManualAndPtxasDifferAreRefused) {
  EXPECT_EQ(number_of("vadd.u32.u32.u32", {"h1", "b0", "b1", ""}), kRefused);
  EXPECT_EQ(number_of("vadd.s32.u32.u32.sat", {"b0", "b0", "b1", ""}), kRefused);
  EXPECT_EQ(number_of("vadd.u32.u32.u32.sat", {"", "b0", "", ""}), kRefused);
  EXPECT_EQ(number_of("vadd.u32.u32.u32.sat", {"", "b0", "h1", ""}), 1u << 3 | 6);
}

}  // namespace
}  // namespace cudasim::ptx
