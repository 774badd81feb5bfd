// SPDX-License-Identifier: MIT
// Races of whole kernels. Their findings must be the same to the letter in every run, with one worker asked for or
// more. They must be complete also when the kernel stops on an error.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>

#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "ptx/parser.h"
#include "race_kernel.h"

namespace cudasim {
namespace {

using namespace test;

/// Each thread stores its number to a cell that it shares with others, the cells in any order. Neighbours read each
/// other's shared words without a barrier. Counted loops make thousands of events.
const char* const races = R"(
mov.u32 %r4, values;
mad.lo.u32 %r5, %r1, 4, %r4;
xor.b32 %r6, %r1, 64;
mad.lo.u32 %r6, %r6, 4, %r4;
LOOP:
.loc 1 20 1
st.shared.u32 [%r5], %r3;
.loc 1 21 1
ld.shared.u32 %r7, [%r6];
mad.lo.u32 %r8, %r3, 40503, %r20;
and.b32 %r8, %r8, 4095;
mul.wide.u32 %rd3, %r8, 4;
add.s64 %rd3, %rd1, %rd3;
.loc 1 22 1
st.global.u32 [%rd3], %r3;
.loc 1 23 1
ld.global.u32 %r9, [%rd2];
add.u32 %r20, %r20, 1;
setp.lt.u32 %p1, %r20, 20;
@%p1 bra LOOP;)";

/// A warp allocates, and gives back, `times` times; what it gets the first and the last time it stores to.
Outcome run_allocations(unsigned times) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.extern .func (.param .b64 pointer) malloc (.param .b64 bytes);
.extern .func free (.param .b64 pointer);
.visible .entry k(.param .u32 last) {
.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>;
mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; ld.param.u32 %r2, [last]; mov.u32 %r3, 0;
AGAIN: @%p1 bra SHARE;
{ .param .b64 bytes; .param .b64 pointer; mov.u64 %rd1, 128; st.param.b64 [bytes], %rd1;
call.uni (pointer), malloc, (bytes); ld.param.b64 %rd2, [pointer]; }
SHARE: mov.b64 {%r4, %r5}, %rd2;
shfl.sync.idx.b32 %r4, %r4, 0, 31, 0xffffffff; shfl.sync.idx.b32 %r5, %r5, 0, 31, 0xffffffff;
mov.b64 %rd2, {%r4, %r5}; mul.wide.u32 %rd3, %r1, 4; add.s64 %rd3, %rd2, %rd3;
setp.eq.u32 %p2, %r3, 0; setp.eq.or.u32 %p3, %r3, %r2, %p2;
@%p3 st.global.u32 [%rd3], %r1;
@%p1 bra NEXT;
{ .param .b64 pointer; st.param.b64 [pointer], %rd2; call.uni free, (pointer); }
NEXT: bar.warp.sync 0xffffffff; add.u32 %r3, %r3, 1; setp.le.u32 %p4, %r3, %r2; @%p4 bra AGAIN;
ret;
}
)";
  Memory memory(64 << 20);
  Module module(ptx::parse(text), memory);
  Launch launch;
  launch.block.x = kWarpSize;
  launch.parameters.resize(4);
  std::memcpy(launch.parameters.data(), &times, 4);
  Schedule schedule;
  Checks checks;
  checks.race = std::make_unique<RaceChecker>();
  return run(module.program("k"), launch, memory, schedule, &checks);
}

TEST(RaceWatch, MemoryThatIsForgottenIsNoLongerKnownToAnAccess) {
  // The checker remembers 16,384 freed allocations. What comes after them may stand where the first one stood.
  for (unsigned times = 16383; times < 16389; ++times) {
    const Outcome outcome = run_allocations(times);
    EXPECT_EQ(outcome.cuda_error, 0) << times;
    EXPECT_TRUE(outcome.findings.empty()) << times << " " << outcome.findings.front().message;
  }
}

TEST(RaceWatch, NeighboursThatCannotBeMovedAreFaultsAsEver) {
  for (const bool looks_for_races : {false, true}) {
    const auto kind_of = [&](const std::string& body) {
      const Outcome outcome = run_kernel(body, 1, Schedule::Order::plain, looks_for_races);
      return outcome.findings.empty() ? FindingKind::race : outcome.findings.back().kind;
    };
    EXPECT_EQ(kind_of("ld.global.u32 %r9, [%rd2+2];"), FindingKind::misaligned);
    EXPECT_EQ(kind_of("st.global.u32 [%rd2+1], %r1;"), FindingKind::misaligned);
    EXPECT_EQ(kind_of("ld.global.u32 %r9, [%rd2+262144];"), FindingKind::out_of_bounds);
    EXPECT_EQ(kind_of("st.global.u32 [%rd2+262016], %r1;"), FindingKind::out_of_bounds);
  }
}

TEST(RaceWatch, FindsTheSameInEveryRun) {
  for (const auto order : {Schedule::Order::plain, Schedule::Order::random, Schedule::Order::adversarial}) {
    const std::string alone = text_of(run_kernel(races, 1, order));
    EXPECT_NE(alone.find("line 21"), std::string::npos) << alone;
    EXPECT_NE(alone.find("line 22"), std::string::npos) << alone;
    EXPECT_NE(alone.find("write-after-write"), std::string::npos) << alone;
    for (int repeat = 0; repeat < 20; ++repeat) {
      ASSERT_EQ(text_of(run_kernel(races, 2, order)), alone) << "run " << repeat;
    }
  }
}

TEST(RaceWatch, HasFoundAllWhenTheKernelFails) {
  // The last block stores far out of bounds at the end of its loop.
  const std::string body = std::string(races) + R"(
setp.ne.u32 %p2, %r2, 63;
@%p2 bra DONE;
.loc 1 30 1
st.global.u32 [%rd1+1073741824], %r3;
DONE:)";
  const Outcome alone = run_kernel(body, 1);
  EXPECT_EQ(alone.cuda_error, 700);
  ASSERT_GE(alone.findings.size(), 3u);
  EXPECT_EQ(alone.findings.back().kind, FindingKind::out_of_bounds);
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(text_of(run_kernel(body, 2)), text_of(alone));
}

TEST(RaceWatch, HasFoundAllWhenABarrierIsNeverReached) {
  const std::string body = std::string(races) + R"(
setp.ne.u32 %p2, %r1, 3;
@%p2 bra WAIT;
ret;
WAIT:
setp.ge.u32 %p3, %r1, 64;
@%p3 bra OTHER;
bar.sync 1, 128;
OTHER:
bar.sync 2, 128;)";
  const Outcome alone = run_kernel(body, 1);
  EXPECT_NE(alone.cuda_error, 0);
  for (int repeat = 0; repeat < 5; ++repeat) EXPECT_EQ(text_of(run_kernel(body, 2)), text_of(alone));
}

TEST(RaceWatch, TheSameValueIsNoRaceAndAnotherIs) {
  // Blocks store one value everywhere, over and over: as it was there already, or as its first store left it.
  const std::string stores = R"(
and.b32 %r5, %r1, 31;
mul.wide.u32 %rd3, %r5, 128;
add.s64 %rd3, %rd1, %rd3;
mov.u32 %r6, 7;
LOOP:
.loc 1 20 1
st.global.u32 [%rd3], %r6;
add.u32 %r20, %r20, 1;
setp.lt.u32 %p1, %r20, 40;
@%p1 bra LOOP;)";
  EXPECT_EQ(text_of(run_kernel(stores, 2)), "error 0\n");
  std::string other = stores;
  other.replace(other.find("mov.u32 %r6, 7"), 14, "and.b32 %r6, %r2, 1");
  const Outcome outcome = run_kernel(other, 2);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings.front().value_before, "0x00000000");
  EXPECT_EQ(outcome.findings.front().value_after, "0x00000001");
}

// All lanes store one value to one word, 40 times. The last time, the value may be one for each lane.
TEST(RaceWatch, LanesThatStoreOneValueToOnePlaceDoNotRaceUntilTheyStoreSeveral) {
  for (const char* const last : {"40", "39"}) {
    std::string stores = R"(
mov.u32 %r4, values;
mov.u32 %r6, 7;
LOOP:
setp.eq.u32 %p2, %r20, LAST;
@%p2 and.b32 %r6, %r1, 31;
.loc 1 20 1
st.shared.u32 [%r4], %r6;
add.u32 %r20, %r20, 1;
setp.lt.u32 %p1, %r20, 40;
@%p1 bra LOOP;)";
    stores.replace(stores.find("LAST"), 4, last);
    const Outcome outcome = run_kernel(stores, 1);
    EXPECT_EQ(outcome.findings.empty(), last == std::string("40"));
    if (outcome.findings.empty()) continue;
    EXPECT_EQ(outcome.findings.front().where.line, 20);
    EXPECT_EQ(outcome.findings.front().hazard, "write-after-write");
  }
}

TEST(RaceWatch, PairsOfAnUnrolledLoopAreOneFindingAndCostNoWordsEach) {
  std::string both =
      "mov.u32 %r4, values; mad.lo.u32 %r5, %r1, 4, %r4; xor.b32 %r6, %r1, 64; mad.lo.u32 %r6, %r6, 4, %r4;\n";
  for (unsigned i = 0; i < 300; ++i)
    both +=
        ".loc 1 20 1\nst.shared.u32 [%r5], %r20;\n.loc 1 21 1\nld.shared.u32 %r7, [%r6];\nadd.u32 %r20, %r20, %r7;\n";
  const std::clock_t begin = std::clock();
  const Outcome outcome = run_kernel(both, 1, Schedule::Order::random);
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC) << "words for each pair take more than ten times as long";
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_GT(outcome.findings.front().occurrences, 1000u);
}

TEST(RaceWatch, OneValueIsTheBytesThatAreStored) {
  const std::string stores = R"(
mov.u32 %r4, values;
mul.lo.u32 %r6, %r1, 256;
st.shared.u8 [%r4], %r6;
st.shared.v2.u8 [%r4+2], {%r20, %r6};)";
  EXPECT_EQ(text_of(run_kernel(stores, 1)), "error 0\n") << "the lowest byte is 0 in all lanes";
  std::string wider = stores;
  wider.replace(wider.find("v2.u8 [%r4+2]"), 13, "v2.u16 [%r4+4]");
  EXPECT_EQ(run_kernel(wider, 1).findings.size(), 1u) << "the second element differs";
}

// In a loop the lanes of an access to shared memory lie as they did the last time: mostly it is noted, and not looked
// at.
TEST(RaceWatch, AnAccessMadeAgainMayMeetAnotherWarps) {
  const auto in_a_loop = [](const std::string& body) {
    return R"(
mov.u32 %r4, values;
mad.lo.u32 %r5, %r1, 4, %r4;
and.b32 %r6, %r1, 31;
mad.lo.u32 %r6, %r6, 4, %r4;
LOOP:
)" + body + R"(
add.u32 %r20, %r20, 1;
setp.lt.u32 %p1, %r20, 4;
@%p1 bra LOOP;)";
  };
  const auto scopes_of = [&](const std::string& body) {
    std::string text;
    for (const auto& finding : run_kernel(in_a_loop(body), 1).findings)
      text +=
          std::string(name_of(finding.kind)) + " " + finding.scope + " " + std::to_string(finding.where.line) + "\n";
    return text;
  };
  const std::string own = ".loc 1 20 1\nst.shared.u32 [%r5], %r20; ld.shared.u32 %r7, [%r5];\n";
  EXPECT_EQ(scopes_of(own), "");
  EXPECT_EQ(scopes_of(own + "bar.sync 0;\n.loc 1 21 1\nld.shared.u32 %r7, [%r6];\nbar.sync 0;"), "");
  EXPECT_EQ(scopes_of(own + "bar.sync 0;\n.loc 1 21 1\nld.shared.u32 %r7, [%r6];"), "race block 21\n");
  // The address moves on.
  EXPECT_EQ(scopes_of(own + ".loc 1 21 1\nld.shared.u32 %r7, [%r6]; add.u32 %r6, %r6, 128;"), "race block 20\n");
  // From the third round on, half of the lanes read what the next warp stores in the fourth one.
  EXPECT_EQ(scopes_of(R"(
bar.sync 0;
setp.ge.u32 %p2, %r1, 96;
@%p2 bra LOADED;
and.b32 %r9, %r1, 16;
shl.b32 %r9, %r9, 3;
setp.lt.u32 %p3, %r20, 2;
selp.u32 %r9, 0, %r9, %p3;
add.u32 %r9, %r9, %r5;
.loc 1 21 1
ld.shared.u32 %r7, [%r9];
LOADED:
setp.ne.u32 %p4, %r20, 3;
@%p4 bra NEXT;
.loc 1 20 1
st.shared.u32 [%r5], %r1;
NEXT:)"),
            "race block 20\n");
  // Strong accesses may meet.
  EXPECT_EQ(scopes_of("st.relaxed.cta.shared.u32 [%r6], %r1; ld.relaxed.cta.shared.u32 %r7, [%r6];"), "");
}

TEST(RaceWatch, AnAccessMadeAgainMayMeetACopyOnItsWay) {
  const Outcome outcome = run_kernel(R"(
mov.u32 %r4, values;
mad.lo.u32 %r5, %r1, 4, %r4;
st.shared.u32 [%r5], %r1;
LOOP:
.loc 1 20 1
ld.shared.u32 %r7, [%r5];
setp.ne.u32 %p2, %r20, 2;
@%p2 bra NEXT;
cp.async.ca.shared.global [%r5], [%rd2], 4;
NEXT:
bar.sync 0;
add.u32 %r20, %r20, 1;
setp.lt.u32 %p1, %r20, 4;
@%p1 bra LOOP;
cp.async.wait_all;)",
                                     1);
  ASSERT_EQ(outcome.findings.size(), 1u) << text_of(outcome);
  EXPECT_EQ(outcome.findings.front().kind, FindingKind::async_copy);
  EXPECT_EQ(outcome.findings.front().where.line, 20);
}

}  // namespace
}  // namespace cudasim
