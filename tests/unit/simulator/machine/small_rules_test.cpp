// SPDX-License-Identifier: MIT
// Rules of the machine that no larger test needs, each on a kernel of a few lines. They say what is counted, when an
// endless loop is seen, how a block that waits for ever is described, and where printf finds its arguments.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

/// One block. The kernel has %r1 = %tid.x, %rd1 = zeros in global memory, and %r2 = an array `s` of shared memory.
Outcome run_block(const std::string& body, std::uint32_t threads = 32, Schedule schedule = {}) {
  Memory memory(64 << 20);
  Module module(ptx::parse(R"(.version 8.0
.target sm_80
.address_size 64
.file 1 "student.cu"
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .align 1 .b8 format[4] = {37, 100, 10, 0};
.visible .entry k(.param .u64 zeros) {
.reg .pred %p<9>; .reg .b32 %r<20>; .reg .b64 %rd<9>;
.shared .align 8 .b8 s[4096];
.loc 1 10 1
ld.param.u64 %rd1, [zeros];
mov.u32 %r1, %tid.x;
mov.u32 %r2, s;
)" + body + "\nret;\n}\n.section .debug_str { wait: .b8 119, 97, 105, 116, 0 }\n"),
                memory);
  const auto* zeros = memory.allocate(4096, Origin::cuda_malloc);
  std::memset(zeros->host, 0, 4096);
  Launch launch;
  launch.block.x = threads;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &zeros->address, 8);
  return run(module.program("k"), launch, memory, schedule);
}

/// The only finding of a run that ends with one.
Finding finding_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.findings.size(), 1u);
  return outcome.findings.empty() ? Finding{} : outcome.findings.front();
}

TEST(SmallRules, AtomicsAreCountedForTheMemoryThatTheyUpdate) {
  const Counters shared = run_block("atom.shared.add.u32 %r3, [%r2], %r1;\nst.global.u32 [%rd1], %r3;").counters;
  EXPECT_EQ(shared.shared_atomic_requests, 1u);
  EXPECT_EQ(shared.shared_atomic_wavefronts, 32u);
  EXPECT_EQ(shared.global_atomic_requests + shared.global_reduction_requests, 0u);
  const Counters global = run_block("red.global.add.u32 [%rd1], %r1;").counters;
  EXPECT_EQ(global.shared_atomic_requests, 0u);
  EXPECT_EQ(global.global_reduction_requests, 1u);
}

TEST(SmallRules, AnAccessIsCountedAnewWhereItsLanesLieApart) {
  // Twice 8 bytes from lane to lane, and then twice 16 bytes.
  const Outcome outcome = run_block(R"(mov.u32 %r4, 0;
mov.u32 %r5, 8;
LOOP: mad.lo.u32 %r6, %r1, %r5, %r2;
ld.shared.u32 %r7, [%r6];
add.u32 %r4, %r4, 1;
setp.eq.u32 %p1, %r4, 2;
@%p1 mov.u32 %r5, 16;
setp.lt.u32 %p2, %r4, 4;
@%p2 bra LOOP;)");
  EXPECT_EQ(outcome.counters.shared_load_requests, 4u);
  EXPECT_EQ(outcome.counters.shared_load_wavefronts, 2u + 2 + 4 + 4);
}

TEST(SmallRules, EachLoadOfAMatrixIsCountedWhereItsElementsLie) {
  // Four registers of eight rows each (the other four repeat them), which lie 32 bytes apart, and then all in one
  // place.
  const std::string load =
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 "
      "{%r3, %r4, %r5, %r6, %r7, %r8, %r9, %r10}, [%rd1], ";
  const Outcome outcome = run_block("mov.u32 %r11, 0;\n" + load + "16;\n" + load + "%r11;");
  EXPECT_EQ(outcome.counters.global_load_requests, 2u * 4);
  EXPECT_EQ(outcome.counters.global_load_sectors, 4u * 8 + 4);
}

TEST(SmallRules, LanesThatCopyLessAreCountedWhereTheyLie) {
  // Lanes 16 to 31 copy 2 of their 4 bytes.
  const Outcome outcome = run_block(R"(mul.wide.u32 %rd2, %r1, 4;
add.s64 %rd1, %rd1, %rd2;
mad.lo.u32 %r2, %r1, 4, %r2;
setp.lt.u32 %p1, %r1, 16;
selp.u32 %r3, 4, 2, %p1;
cp.async.ca.shared.global [%r2], [%rd1], 4, %r3;
cp.async.wait_all;)");
  EXPECT_EQ(outcome.counters.global_load_sectors, 2u + 2);
}

TEST(SmallRules, PrintfFindsItsArgumentsAnywhereInLocalMemory) {
  const Outcome outcome = run_block(R"(
.local .align 8 .b8 frame[16];
setp.ne.u32 %p1, %r1, 0;
@%p1 ret;
st.local.u32 [frame], 1;
st.local.u32 [frame+8], 42;
mov.u64 %rd2, frame;
cvta.local.u64 %rd2, %rd2;
add.u64 %rd2, %rd2, 8;
mov.u64 %rd3, format;
cvta.global.u64 %rd3, %rd3;
{
.param .b64 a; .param .b64 b; .param .b32 r;
st.param.b64 [a], %rd3;
st.param.b64 [b], %rd2;
call.uni (r), vprintf, (a, b);
})");
  EXPECT_EQ(outcome.printed, "42\n");
}

TEST(SmallRules, ALoopIsEndlessThoughAStateBetweenDiffersInOneLane) {
  // Lane 5 counts to 2 and begins anew. What it counts is not the first word of a register.
  Schedule schedule;
  schedule.step_budget = 5'000'000;
  const Outcome outcome = run_block(R"(setp.eq.u32 %p1, %r1, 5;
selp.u32 %r3, 1, 0, %p1;
mov.u32 %r4, 0;
LOOP: xor.b32 %r4, %r4, %r3;
setp.ne.u32 %p2, %r4, 7;
@%p2 bra LOOP;)",
                                    32, schedule);
  EXPECT_EQ(finding_of(outcome).kind, FindingKind::endless_loop);
}

TEST(SmallRules, HowOftenAWarpLookedIsNoPartOfItsState) {
  // The lanes of each warp have parted and met again before they spin.
  Schedule schedule;
  schedule.order = Schedule::Order::random;
  schedule.seed = 1;
  const Outcome outcome = run_block(R"(and.b32 %r3, %r1, 31;
setp.lt.u32 %p1, %r3, 7;
@%p1 bra MEET;
add.u32 %r3, %r3, 1;
MEET:
LOOP: ld.volatile.global.u32 %r4, [%rd1];
setp.eq.u32 %p2, %r4, 0;
@%p2 bra LOOP;)",
                                    1024, schedule);
  EXPECT_EQ(finding_of(outcome).kind, FindingKind::endless_loop);
  EXPECT_LT(outcome.counters.warp_instructions, 150'000u);
}

TEST(SmallRules, ABlockThatWaitsAtAnMbarrierIsDescribedWhereItWaits) {
  // The loop is at line 12, and counts its rounds. It calls, in line, the function of line 20.
  Schedule schedule;
  schedule.step_budget = 1'000'000;
  const Finding found = finding_of(run_block(R"(setp.ne.u32 %p1, %r1, 0;
@%p1 bra READY;
mbarrier.init.shared.b64 [%r2], 64;
READY: bar.sync 0;
mbarrier.arrive.shared.b64 %rd2, [%r2];
mov.u32 %r3, 0;
LOOP:
.loc 1 20 1, function_name wait, inlined_at 1 12 1
mbarrier.test_wait.shared.b64 %p2, [%r2], %rd2;
.loc 1 12 1
add.u32 %r3, %r3, 1;
@!%p2 bra LOOP;)",
                                             32, schedule));
  EXPECT_EQ(found.kind, FindingKind::deadlock);
  EXPECT_EQ(found.where.line, 20);
  EXPECT_NE(found.allocation.find("an mbarrier that still waits for 32 of 64 arrivals"), std::string::npos)
      << found.allocation;
}

}  // namespace
}  // namespace cudasim
