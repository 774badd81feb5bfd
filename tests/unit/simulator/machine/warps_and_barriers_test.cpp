// SPDX-License-Identifier: MIT
// Divergence and convergence of a warp's lanes, and barriers of warps and blocks.
#include <gtest/gtest.h>

#include <string>

#include "base/finding.h"
#include "machine_kernel.h"
#include "program/launch.h"

namespace cudasim {
namespace {

using namespace test;

TEST(Machine, LanesOfABranchMeetAgain) {
  // After the branch all lanes are one split again: activemask names them all.
  const auto result = run_body(std::string(own_cell) + R"(
setp.lt.u32 %p1, %r1, 7;
@%p1 bra SMALL;
mov.u32 %r2, 100;
bra MEET;
SMALL: mov.u32 %r2, 200;
MEET: activemask.b32 %r3;
add.u32 %r3, %r3, %r2;
st.global.u32 [%rd2], %r3;)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(result.out[t], 0xffffffffu + (t < 7 ? 200 : 100)) << t;
  EXPECT_EQ(result.outcome.counters.divergent_branches, 1u);
}

TEST(Machine, LoopsOfDifferentLengthMeetBehindTheLoop) {
  const auto result = run_body(std::string(own_cell) + R"(
mov.u32 %r2, 0;
LOOP: add.u32 %r2, %r2, 1;
setp.le.u32 %p1, %r2, %r1;
@%p1 bra LOOP;
activemask.b32 %r3;
popc.b32 %r3, %r3;
mad.lo.u32 %r3, %r3, 1000, %r2;
st.global.u32 [%rd2], %r3;)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(result.out[t], 32000 + t + 1);
}

TEST(Machine, ALockBetweenLanesOfOneWarpIsPassedOn) {
  // Each lane takes the lock at out[1], adds to out[0] with plain accesses, and gives it back.
  const auto result = run_body(R"(
LOOP: atom.global.cas.b32 %r2, [%rd1+4], 0, 1;
setp.ne.u32 %p1, %r2, 0;
@%p1 bra LOOP;
ld.global.u32 %r3, [%rd1];
add.u32 %r3, %r3, 1;
st.global.u32 [%rd1], %r3;
membar.gl;
atom.global.exch.b32 %r4, [%rd1+4], 0;)");
  EXPECT_EQ(result.outcome.cuda_error, 0);
  EXPECT_EQ(result.out[0], 32u);
}

TEST(Machine, AShuffleJoinsLanesFromBothArms) {
  const auto result = run_body(std::string(own_cell) + R"(
setp.lt.u32 %p1, %r1, 16;
@%p1 bra LOW;
shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;
bra DONE;
LOW: shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;
DONE: st.global.u32 [%rd2], %r2;)");
  for (unsigned t = 0; t < 32; ++t) EXPECT_EQ(result.out[t], t ^ 16);
}

TEST(Machine, AMaskThatNamesAbsentLanesIsFound) {
  const auto result = run_body(R"(
setp.ge.u32 %p1, %r1, 16;
@%p1 bra DONE;
.loc 1 33 1
vote.sync.ballot.b32 %r2, %p1, -1;
bar.warp.sync 0xffff;
DONE: shfl.sync.idx.b32 %r3, %r1, 0, 31, -1;)");
  const auto finding = only_finding(result);
  EXPECT_EQ(finding.kind, FindingKind::warp_mask);
  EXPECT_EQ(finding.where.line, 33);
  EXPECT_EQ(result.outcome.cuda_error, 719);
}

TEST(Machine, BarrierOrdersSharedMemory) {
  Conditions setup = block_of(256);
  setup.functions = ".shared .align 4 .b8 s[1024];";
  const std::string body = std::string(own_cell) + R"(
mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;
st.shared.u32 [%r4], %r1;
bar.sync 0;
sub.u32 %r5, 1020, %r3; add.u32 %r5, %r5, %r2;
ld.shared.u32 %r6, [%r5];
st.global.u32 [%rd2], %r6;)";
  for (auto order : {Schedule::Order::plain, Schedule::Order::random, Schedule::Order::adversarial}) {
    setup.schedule.order = order;
    const auto result = run_body(body, setup);
    for (unsigned t = 0; t < 256; ++t) ASSERT_EQ(result.out[t], 255 - t);
    EXPECT_EQ(result.outcome.counters.barriers, 8u);
  }
}

TEST(Machine, BarrierInADivergentBranchIsFound) {
  const auto result = run_body(R"(
setp.ge.u32 %p1, %r1, 16;
@%p1 bra DONE;
.loc 1 21 3
bar.sync 0;
DONE: mov.u32 %r2, 0;)");
  const auto finding = only_finding(result);
  EXPECT_EQ(finding.kind, FindingKind::barrier_divergence);
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.where.file, "student.cu");
  EXPECT_EQ(finding.where.line, 21);
  EXPECT_EQ(finding.lanes, 0xffffu);
}

TEST(Machine, LanesThatWaitInAnotherFileAreNamedWithIt) {
  const std::string text = R"(
.file 2 "given/scan.h"
.loc 1 20 3
setp.ge.u32 %p1, %r1, 16;
@%p1 bra OTHERS;
.loc 1 21 3
bar.sync 0;
bra.uni DONE;
OTHERS:
.loc 2 71 3
shfl.sync.down.b32 %r2, %r1, 1, 31, 0xffffffff;
DONE: mov.u32 %r2, 0;)";
  EXPECT_NE(only_finding(run_body(text)).message.find("wait at line 71 of scan.h"), std::string::npos);
}

TEST(Machine, BarrierThatExitedThreadsNeverReachIsAWarning) {
  const auto result = run_body(R"(
setp.ge.u32 %p1, %r1, 32;
@%p1 exit;
bar.sync 0;
st.global.u32 [%rd1], 5;)",
                               block_of(64));
  EXPECT_EQ(only_finding(result).severity, Severity::warning);
  EXPECT_EQ(result.outcome.cuda_error, 0);
  EXPECT_EQ(result.out[0], 5u);
}

TEST(Machine, WarpsAtDifferentBarriersAreADeadlock) {
  const auto result = run_body(R"(
setp.ge.u32 %p1, %r1, 32;
@%p1 bra OTHER;
bar.sync 0;
bra DONE;
.loc 1 21 1
OTHER: bar.sync 1;
DONE: mov.u32 %r2, 0;)",
                               block_of(128));
  const Finding end = only_finding(result);
  EXPECT_EQ(end.kind, FindingKind::deadlock);
  EXPECT_NE(end.message.find("; warp 0 (lanes 0xffffffff) waits at line 10;"), std::string::npos) << end.message;
  EXPECT_NE(end.message.find("; warps 1 to 3 (lanes 0xffffffff each) wait at line 21"), std::string::npos)
      << end.message;
}

TEST(Machine, ArriveAndSyncWithCountsHandOver) {
  // Warp 0 writes and arrives; warp 1 waits, then reads.
  const auto result = run_body(R"(
setp.ge.u32 %p1, %r1, 32;
@%p1 bra READER;
st.global.u32 [%rd1], 77;
bar.arrive 3, 64;
bra DONE;
READER: bar.sync 3, 64;
ld.global.u32 %r2, [%rd1];
st.global.u32 [%rd1+4], %r2;
DONE: mov.u32 %r3, 0;)",
                               block_of(64));
  EXPECT_EQ(result.outcome.cuda_error, 0);
  EXPECT_EQ(result.out[1], 77u);
}

}  // namespace
}  // namespace cudasim
