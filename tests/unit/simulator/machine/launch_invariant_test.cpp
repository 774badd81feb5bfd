// SPDX-License-Identifier: MIT
// What is the same in all blocks, or differs by one number, is computed once.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/finding.h"
#include "decode/module.h"
#include "machine_kernel.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

using namespace test;

TEST(Machine, WhatIsTheSameInEveryBlockIsComputedOnce) {
  const std::string body = R"(
mov.u32 %r2, %ctaid.x;
add.u32 %r3, %r1, 5;          // once
mul.lo.u32 %r4, %r3, 3;       // once
add.u32 %r5, %r4, %r2;
mov.u32 %r6, 1;
add.u32 %r6, %r6, %r4;        // a register that is written twice
setp.gt.u32 %p1, %r1, 15;     // once
@%p1 add.u32 %r7, %r1, 9;     // where it is not, the register holds what nobody wrote
@%p1 bra ELSEWHERE;
add.u32 %r8, %r1, 11;         // likewise
ELSEWHERE:
mov.u32 %r9, %ntid.x;         // once
mad.lo.u32 %r10, %r2, %r9, %r1;
mul.wide.u32 %rd2, %r10, 16;
add.s64 %rd2, %rd1, %rd2;
st.global.v4.u32 [%rd2], {%r5, %r6, %r7, %r8};
)";
  for (const auto order : {Schedule::Order::plain, Schedule::Order::adversarial, Schedule::Order::random}) {
    Conditions setup;
    setup.grid.x = 3;
    setup.words = 3 * 32 * 4;
    setup.schedule.order = order;
    const auto result = run_body(body, setup);
    for (std::uint32_t block = 0; block < 3; ++block) {
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        const std::uint32_t* const four = &result.out[4 * (32 * block + lane)];
        EXPECT_EQ(four[0], 3 * (lane + 5) + block);
        EXPECT_EQ(four[1], 3 * (lane + 5) + 1);
        EXPECT_EQ(four[2], lane > 15 ? lane + 9 : ~0u);
        EXPECT_EQ(four[3], lane > 15 ? ~0u : lane + 11);
      }
    }
  }
  // The parameter, the thread's index, and those that say so.
  Memory memory(memory_bytes);
  Module module(ptx::parse(kernel_text(body)), memory);
  const Program& program = module.program("k");
  EXPECT_EQ(program.launch_invariant.size(), 2u + 4u);
}

/// In random order all is computed where it stands.
void expect_same_in_random_order(const std::string& body, Conditions setup) {
  setup.schedule.order = Schedule::Order::random;
  const auto there = run_body(body, setup);
  for (const unsigned workers : {1u, 2u}) {
    setup.schedule.order = Schedule::Order::plain;
    setup.schedule.workers = workers;
    const auto before = run_body(body, setup);
    EXPECT_EQ(before.out, there.out);
    for (const auto& counter : kCounterNames) {
      EXPECT_EQ(before.outcome.counters.*counter.field, there.outcome.counters.*counter.field) << counter.name;
    }
    ASSERT_EQ(before.outcome.findings.size(), there.outcome.findings.size());
    for (std::size_t i = 0; i < there.outcome.findings.size(); ++i) {
      EXPECT_EQ(before.outcome.findings[i].message, there.outcome.findings[i].message);
      EXPECT_EQ(before.outcome.findings[i].block, there.outcome.findings[i].block);
      EXPECT_EQ(before.outcome.findings[i].thread, there.outcome.findings[i].thread);
    }
  }
}

// %rd2 = out + 4 * (thread of the grid), %r2 = %ctaid.x, %r3 = that thread
const char* const own_cell_of_grid = R"(
mov.u32 %r2, %ctaid.x;
mov.u32 %r4, %ntid.x;
mad.lo.s32 %r3, %r2, %r4, %r1;
mul.wide.s32 %rd3, %r3, 4;
add.s64 %rd2, %rd1, %rd3;
)";

TEST(Machine, WhatDiffersByOneNumberBetweenBlocksIsComputedInOneWarp) {
  Conditions setup;
  setup.grid = {7, 1, 1};
  setup.block.x = 96;
  setup.words = 7 * 96 + 8;
  const std::string body =
      std::string(own_cell_of_grid) + "ld.global.u32 %r5, [%rd2]; add.u32 %r5, %r5, %r3; st.global.u32 [%rd2], %r5;";
  Memory memory(memory_bytes);
  Module module(ptx::parse(kernel_text(body)), memory);
  const Program& program = module.program("k");
  EXPECT_EQ(program.affine.size(), 4u);
  EXPECT_EQ(program.affine_results.size(), 2u) << "the thread and its address are read, what they are made of is not";
  const auto result = run_body(body, setup);
  for (std::uint32_t i = 0; i < 7 * 96; ++i) EXPECT_EQ(result.out[i], i);
  EXPECT_EQ(result.outcome.counters.global_load_sectors, 7u * 3 * 4);
  expect_same_in_random_order(body, setup);
  // A word behind, where an access takes one sector more.
  const std::string behind = std::string(own_cell_of_grid) + "ld.global.u32 %r5, [%rd2+4]; st.global.u32 [%rd2], %r5;";
  EXPECT_EQ(run_body(behind, setup).outcome.counters.global_load_sectors, 7u * 3 * 5);
  expect_same_in_random_order(behind, setup);
  // Elements of 8 bytes, and a last warp that is not whole.
  setup.block.x = 80;
  setup.words = 2 * 7 * 80;
  expect_same_in_random_order(std::string(own_cell_of_grid) + R"(
mul.wide.u32 %rd4, %r3, 8;
add.s64 %rd5, %rd1, %rd4;
ld.global.u64 %rd6, [%rd5];
add.s64 %rd6, %rd6, %rd4;
st.global.u64 [%rd5], %rd6;)",
                              setup);
}

TEST(Machine, AWarpThatFollowsOneThatLeftHasOneTurn) {
  // The first warp leaves, the second looks until the third has stored: a thousand times in its turn.
  const auto result = run_body(R"(.shared .align 4 .b8 flag[4];
setp.lt.u32 %p1, %r1, 32;
@%p1 exit;
setp.ge.u32 %p2, %r1, 64;
@%p2 bra THIRD;
LOOK: ld.volatile.shared.u32 %r2, [flag];
setp.ne.u32 %p3, %r2, 1;
@%p3 bra LOOK;
bra DONE;
THIRD: st.volatile.shared.u32 [flag], 1;
DONE:)",
                               block_of(96));
  EXPECT_EQ(result.outcome.cuda_error, 0);
  EXPECT_LT(result.outcome.counters.warp_instructions, 3 * 1000 + 100u);
}

TEST(Machine, AnAddressOfTheNextBlockMayBeWrong) {
  Conditions setup;
  setup.grid = {5, 1, 1};
  setup.block.x = 64;
  for (const std::size_t words : {5u * 64 - 1, 3u * 64, 200u}) {  // the last warp, or an earlier block
    setup.words = words;
    const std::string body = std::string(own_cell_of_grid) + "st.global.u32 [%rd2], %r3;";
    const auto finding = only_finding(run_body(body, setup));
    EXPECT_EQ(finding.kind, FindingKind::out_of_bounds);
    EXPECT_EQ(finding.block[0] * 64 + finding.thread[0], words);
  }
  setup.words = 5 * 64;
  const auto finding = only_finding(run_body(R"(
mov.u32 %r2, %ctaid.x;
mul.wide.u32 %rd3, %r2, 129;
mul.wide.u32 %rd4, %r1, 4;
add.s64 %rd5, %rd3, %rd4;
add.s64 %rd2, %rd1, %rd5;
setp.gt.u32 %p1, %r2, 2;
@%p1 st.global.u32 [%rd2], %r1;
@!%p1 st.global.u32 [%rd1], %r1;)",
                                             setup));
  EXPECT_EQ(finding.kind, FindingKind::misaligned);
  EXPECT_EQ(finding.block[0], 3u);
}

TEST(Machine, NumbersThatWrapAreNotTakenForShifted) {
  // Each thread of each block stores a wide value; some threads of a block have wrapped, and the others have not.
  const auto stored = [](const std::string& value) {
    return std::string(own_cell_of_grid) + R"(
mul.wide.u32 %rd4, %r3, 8;
add.s64 %rd5, %rd1, %rd4;
)" + value +
           "\nst.global.u64 [%rd5], %rd6;";
  };
  Conditions setup;
  setup.grid = {9, 1, 1};
  setup.block.x = 64;
  setup.words = 2 * 9 * 64;
  for (const std::string value : {
           "mad.lo.u32 %r6, %r2, 50, %r1; sub.u32 %r7, %r6, 100; cvt.u64.u32 %rd6, %r7;",
           "mad.lo.u32 %r6, %r2, 50, %r1; sub.s32 %r7, %r6, 100; cvt.s64.s32 %rd6, %r7;",
           "mad.lo.u32 %r6, %r2, 0x10000001, %r1; add.u32 %r7, %r6, 0x7ffffff0; mul.wide.s32 %rd6, %r7, 12;",
           "mad.lo.u32 %r6, %r2, 0x10000001, %r1; add.u32 %r7, %r6, 0x7ffffff0; mul.wide.u32 %rd6, %r7, 12;",
           "mad.lo.u32 %r6, %r2, 0x40000000, %r1; mad.wide.u32 %rd6, %r6, 3, %rd1; sub.s64 %rd6, %rd6, %rd1;",
           "shl.b32 %r6, %r2, 29; add.u32 %r7, %r6, %r1; cvt.u64.u32 %rd6, %r7;",
           // Not by one number for all threads.
           "mul.lo.u32 %r6, %r2, %r1; cvt.u64.u32 %rd6, %r6;",
           "mad.lo.u32 %r6, %r1, %r2, %r2; mul.wide.u32 %rd6, %r6, %r2;",
           "shl.b32 %r6, %r1, %r2; cvt.u64.u32 %rd6, %r6;",
           "xor.b32 %r6, %r2, %r1; cvt.u64.u32 %rd6, %r6;",
           "add.u32 %r6, %r2, %r1; and.b32 %r7, %r6, 6; cvt.u64.u32 %rd6, %r7;",
           "add.u32 %r6, %r2, %r1; mul.hi.u32 %r7, %r6, 0x10000000; cvt.u64.u32 %rd6, %r7;",
           // Numbers of a block may be anything.
           "xor.b32 %r6, %r2, 5; cvt.rn.f32.u32 %f1, %r6; mov.b32 %r7, %f1; cvt.u64.u32 %rd6, %r7;",
       }) {
    SCOPED_TRACE(value);
    expect_same_in_random_order(stored(value), setup);
  }
}

}  // namespace
}  // namespace cudasim
