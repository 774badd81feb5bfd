// SPDX-License-Identifier: MIT
// What ptxas makes of accesses to shared memory: the rules, one by one, as the machine code of CUDA 13.0 for sm_90
// shows them.
#include "decode/ptxas_model/machine_accesses.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "decode/analysis/liveness.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

/// A kernel around `body`: %r1 is a multiple of 16 bytes from the beginning of an array, %r2 of 8, %r3 of 4.
std::string kernel(const std::string& body) {
  return R"(.version 9.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p) {
.reg .pred %p<9>; .reg .b16 %h<9>; .reg .f32 %f<99>; .reg .b32 %r<99>; .reg .b64 %rd<9>; .reg .f64 %d<9>;
.shared .align 16 .b8 s[4096];
.shared .align 4 .b8 t[4096];
ld.param.u64 %rd1, [p];
mov.u32 %r10, %tid.x;
mov.u32 %r11, s;
shl.b32 %r12, %r10, 4; add.s32 %r1, %r11, %r12;
mad.lo.s32 %r2, %r10, 24, %r11;
mad.lo.s32 %r3, %r10, 68, %r11;
setp.lt.u32 %p1, %r10, 40;
)" + body +
         "\nst.global.f32 [%rd1], %f1;\nst.global.f32 [%rd1+4], %f2;\nret;\n}\n";
}

struct Made {
  ptx::Module text;
  MachineAccesses of;
};

Made made(const std::string& body) {
  Made result{ptx::parse(kernel(body)), {}};
  const auto& function = result.text.functions[0];
  const auto found = find_rows(function);
  result.of = machine_accesses(function, build_control_flow(function), found, {{"s", 0}, {"t", 5124}});
  return result;
}

/// For each load and store of shared memory: its bytes in the machine code, "-" if it is in another one, "." if it is
/// as in PTX.
std::string widths(const std::string& body) {
  const Made all = made(body);
  std::string text;
  const auto& instructions = all.text.functions[0].instructions;
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    const auto& opcode = instructions[i].opcode;
    if (opcode.find(".shared") == std::string::npos || opcode.rfind("atom", 0) == 0) continue;
    const auto joined = all.of.joined.find(i);
    const bool in_other = joined != all.of.joined.end() && joined->second.part == MemoryAccess::Joined::Part::other;
    text += joined == all.of.joined.end() ? "." : in_other ? "-" : std::to_string(joined->second.bytes);
    text += ' ';
  }
  return text;
}

std::string loads(const std::string& base, std::initializer_list<int> offsets) {
  std::string text;
  int number = 20;
  for (int offset : offsets)
    text += "ld.shared.f32 %f" + std::to_string(number++) + ", [" + base + "+" + std::to_string(offset) + "];\n";
  return text;
}

TEST(MachineAccesses, FourNeighboursBecomeOne) { EXPECT_EQ(widths(loads("%r1", {0, 4, 8, 12})), "16 - - - "); }

TEST(MachineAccesses, ALoadMayHaveAHole) {
  EXPECT_EQ(widths(loads("%r1", {0, 4, 12})), "16 - - ");
  EXPECT_EQ(widths(loads("%r1", {12, 4, 8})), "16 - - ");
  EXPECT_EQ(widths(loads("%r1", {0, 8})), ". . ");
  EXPECT_EQ(widths(loads("%r1", {4, 8})), ". . ");
}

TEST(MachineAccesses, AsWideAsTheAlignmentThatIsKnown) {
  EXPECT_EQ(widths(loads("%r2", {0, 4, 8, 12})), "8 - 8 - ");
  EXPECT_EQ(widths(loads("%r3", {0, 4, 8, 12})), ". . . . ");
  EXPECT_EQ(widths(loads("s", {0, 4, 8, 12})), "16 - - - ");
  EXPECT_EQ(widths(loads("t", {0, 4, 8, 12})), ". . . . ") << "where the variable lies counts";
}

TEST(MachineAccesses, AWindowBeginsWhereItIsAligned) {
  EXPECT_EQ(widths(loads("%r1", {4, 8, 12, 16, 20})), "16 - - 8 - ");
}

TEST(MachineAccesses, WhereOneIsIsSaid) {
  const Made all = made(loads("%r1", {12, 4, 8}));
  const auto one = std::find_if(all.of.joined.begin(), all.of.joined.end(),
                                [](const auto& each) { return each.second.part == MemoryAccess::Joined::Part::one; });
  ASSERT_NE(one, all.of.joined.end());
  EXPECT_EQ(one->second.offset, -12) << "from the first of them";
  EXPECT_EQ(all.of.joined.size(), 3u);
}

TEST(MachineAccesses, WideOnesAreJoinedToo) {
  EXPECT_EQ(widths("ld.shared.f64 %d1, [%r1]; ld.shared.f64 %d2, [%r1+8];"), "16 - ");
  EXPECT_EQ(widths("ld.shared.v2.f32 {%f20, %f21}, [%r1]; ld.shared.f32 %f22, [%r1+8];"), "16 - ");
}

TEST(MachineAccesses, BytesAndHalvesAreLoadedAsTheyAre) {
  EXPECT_EQ(widths("ld.shared.u16 %h1, [%r1]; ld.shared.u16 %h2, [%r1+2];"), ". . ");
}

TEST(MachineAccesses, StoresMustFillWhatTheyBecome) {
  auto stores = [](const char* type, std::initializer_list<int> offsets) {
    std::string text;
    for (int offset : offsets)
      text += std::string("st.shared.") + type + (type[1] == '1' ? " [%r1+" : " [%r1+") + std::to_string(offset) +
              (type[1] == '1' ? "], %h1;\n" : "], %f1;\n");
    return text;
  };
  EXPECT_EQ(widths(stores("f32", {0, 4, 8, 12})), "- - - 16 ");
  EXPECT_EQ(widths(stores("f32", {0, 8, 4, 12})), "- - - 16 ");
  EXPECT_EQ(widths(stores("f32", {0, 4, 8})), "- 8 . ");
  EXPECT_EQ(widths(stores("f32", {4, 8, 12})), ". - 8 ");
  EXPECT_EQ(widths(stores("u16", {0, 2, 4, 6})), "- - - 8 ");
  EXPECT_EQ(widths(stores("u16", {0, 2})), "- 4 ");
}

TEST(MachineAccesses, WhatMayMeetThemEndsThem) {
  const std::string first = loads("%r1", {0}), second = loads("%r1", {4});
  EXPECT_EQ(widths(first + second), "8 - ");
  EXPECT_EQ(widths(first + "st.shared.f32 [t], %f1;" + second), ". . . ") << "another array, but ptxas does not ask";
  EXPECT_EQ(widths(first + "bar.sync 0;" + second), ". . ");
  EXPECT_EQ(widths(first + "bar.warp.sync -1;" + second), ". . ");
  EXPECT_EQ(widths(first + "membar.cta;" + second), ". . ");
  EXPECT_EQ(widths(first + "atom.shared.add.u32 %r20, [t], %r10;" + second), ". . ");
  EXPECT_EQ(widths(first + "st.global.f32 [%rd1], %f1;" + second), "8 - ");
  EXPECT_EQ(widths("st.shared.f32 [%r1], %f1; ld.shared.f32 %f20, [t]; st.shared.f32 [%r1+4], %f1;"), ". . . ");
  EXPECT_EQ(widths("st.shared.f32 [%r1], %f1; st.shared.f32 [t], %f1; st.shared.f32 [%r1+4], %f1;"), ". . . ");
}

TEST(MachineAccesses, VolatileStays) {
  EXPECT_EQ(widths("ld.volatile.shared.f32 %f20, [%r1]; ld.volatile.shared.f32 %f21, [%r1+4];"), ". . ");
}

TEST(MachineAccesses, SumsWithNumbersAreTheSamePlace) {
  EXPECT_EQ(widths("add.s32 %r20, %r1, 16; ld.shared.f32 %f20, [%r20+-16]; ld.shared.f32 %f21, [%r1+4];"), "8 - ");
}

TEST(MachineAccesses, ARegisterThatChangesIsFollowed) {
  const std::string loop = "mov.u32 %r5, %r1; L: ld.shared.f32 %f20, [%r5]; ";
  const std::string end = " setp.lt.u32 %p2, %r5, 999; @%p2 bra L;";
  EXPECT_EQ(widths(loop + "ld.shared.f32 %f21, [%r5+4]; add.s32 %r5, %r5, 16;" + end), "8 - ");
  EXPECT_EQ(widths(loop + "add.s32 %r5, %r5, 4; ld.shared.f32 %f21, [%r5]; add.s32 %r5, %r5, 12;" + end), ". . ")
      << "of which not even 8 is known: 4 and 12 are added";
  EXPECT_EQ(widths(loop + "ld.shared.f32 %f21, [%r5+4]; add.s32 %r5, %r5, 4;" + end), ". . ");
}

TEST(MachineAccesses, BranchesBetweenLoadsDoNotMatter) {
  const std::string way = "add.f32 %f1, %f1, %f2;\n";
  EXPECT_EQ(widths(loads("%r1", {0}) + "@%p1 bra L;\n" + way + "L:\n" + loads("%r1", {4})), "8 - ");
}

std::size_t skipped(const std::string& way, const std::string& before = "ld.shared.f32 %f3, [t];") {
  std::size_t accesses = 0;
  const Made all = made(before + "\n@%p1 bra L;\n" + way + "L:\nadd.f32 %f1, %f1, %f2;\n");
  for (const auto& [branch, lists] : all.of.skipped) {
    EXPECT_TRUE(lists.when_none_jumps.empty());
    accesses += lists.when_all_jump.size();
  }
  return accesses;
}

std::string sums(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "fma.rn.f32 %f2, %f2, %f2, %f1;\n";
  return text;
}

TEST(MachineAccesses, AShortBranchBecomesAPredicate) {
  EXPECT_EQ(skipped("ld.shared.f32 %f1, [%r1];\n" + sums(7)), 1u);
  EXPECT_EQ(skipped("ld.shared.f32 %f1, [%r1];\n" + sums(8)), 0u) << "nine instructions";
  EXPECT_EQ(skipped("ld.shared.f32 %f1, [%r1];\natom.shared.add.u32 %r20, [t], %r10;\n"), 0u);
  EXPECT_EQ(skipped("ld.shared.f32 %f1, [%r1];\ndiv.rn.f32 %f1, %f1, %f2;\n"), 0u);
  EXPECT_EQ(skipped("ld.shared.f32 %f20, [%r1];\nld.shared.f32 %f21, [%r1+4];\n"), 1u) << "that are one";
}

TEST(MachineAccesses, AWaitForGlobalMemoryStaysBehindItsBranch) {
  const std::string way = "ld.global.f32 %f20, [%rd1];\nst.shared.f32 [%r1], %f20;\n";
  EXPECT_EQ(skipped(way, "bar.sync 0;"), 0u);
  EXPECT_EQ(skipped(way, "bar.sync 0; ld.global.f32 %f3, [%rd1];"), 1u) << "unless there is one before it";
}

TEST(MachineAccesses, TheEndOfAKernelIsNoPredicate) {
  EXPECT_TRUE(made("bra E;\nE: @%p1 bra L;\nst.shared.f32 [%r1], %f1;\nret;\nL:\n").of.skipped.empty());
}

TEST(MachineAccesses, NeighboursAreFoundPastABranchToTheNextInstruction) {
  const std::string before = "ld.shared.f32 %f20, [%r1];\nld.shared.f32 %f21, [%r1+4];\n";
  const std::string behind = "ld.shared.f32 %f22, [%r1+8];\nld.shared.f32 %f23, [%r1+12];\n";
  EXPECT_EQ(widths(before + "bra NEXT;\nNEXT:\n" + behind), "16 - - - ");
  EXPECT_EQ(widths(before + "NEXT:\n" + behind + "@%p1 bra NEXT;\n"), "8 - 8 - ") << "the second two run again";
}

TEST(MachineAccesses, NumbersOfOtherKindsAreNoAddress) {
  EXPECT_EQ(widths("ld.shared.f32 %f20, [0]; ld.shared.f32 %f21, [4];"), ". . ");
}

}  // namespace
}  // namespace cudasim
