// SPDX-License-Identifier: MIT
// The machine's rules, each on a kernel of a few lines of PTX: divergence, barriers, faults and their places, budgets,
// schedules. What single instructions compute is the business of tests/isa/ptx.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"
#include "state/grid.h"

namespace cudasim {
namespace {

constexpr std::uint64_t memory_bytes = 64 << 20;

struct Result {
  Outcome outcome;
  std::vector<std::uint32_t> out;
};

struct Conditions {
  Dim3 grid{1, 1, 1}, block{32, 1, 1};
  std::size_t words = 64;  // of the out buffer
  std::uint64_t dynamic_shared = 0;
  Schedule schedule{};
  std::string functions;  // PTX before the kernel
  bool cooperative = false;
  std::byte poison{0xFF};
};

/// A kernel with the parameter `out`, which is in %rd1, and %r1 = %tid.x.
std::string kernel_text(const std::string& body, const std::string& functions = "") {
  return R"(.version 8.0
.target sm_75
.address_size 64
.file 1 "student.cu"
)" + functions +
         R"(
.visible .entry k(.param .u64 out) {
.reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<9>;
.loc 1 10 1
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
)" + body +
         "\nret;\n}\n";
}

Result run_body(const std::string& body, Conditions setup = {}, Checks* checks = nullptr) {
  Memory memory(memory_bytes, setup.poison);
  Module module(ptx::parse(kernel_text(body, setup.functions)), memory);
  const auto* out = memory.allocate(setup.words * 4, Origin::cuda_malloc);
  std::memset(out->host, 0, setup.words * 4);
  Launch launch;
  launch.grid = setup.grid;
  launch.block = setup.block;
  launch.dynamic_shared_bytes = setup.dynamic_shared;
  launch.cooperative = setup.cooperative;
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &out->address, 8);
  Result result;
  result.outcome = run(module.program("k"), launch, memory, setup.schedule, checks);
  result.out.resize(setup.words);
  std::memcpy(result.out.data(), out->host, setup.words * 4);
  return result;
}

// %rd2 = out + 4 * tid
const char* const own_cell = "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd2, %rd1, %rd2;\n";

Conditions block_of(std::uint32_t threads) {
  Conditions setup;
  setup.block.x = threads;
  setup.words = threads;
  return setup;
}

Finding only_finding(const Result& result) {
  if (result.outcome.findings.size() != 1) {
    ADD_FAILURE() << result.outcome.findings.size() << " findings instead of one";
    return {};
  }
  return result.outcome.findings.front();
}

TEST(Machine, EveryThreadRunsOnce) {
  const auto result = run_body(std::string(own_cell) + "atom.global.add.u32 %r2, [%rd2], 1;", block_of(100));
  EXPECT_EQ(result.outcome.cuda_error, 0);
  for (auto word : result.out) EXPECT_EQ(word, 1u);
}

TEST(Machine, BlocksThatWaitForTheGridHardlyRun) {
  // Each of 256 blocks arrives five times and looks until all have: what they look must not grow with their square.
  Conditions setup;
  setup.grid.x = 256;
  setup.cooperative = true;
  const auto result = run_body(R"(
mov.u32 %r2, 0;
mov.u32 %r5, 0;
ROUND:
setp.ne.u32 %p1, %r1, 0;
@%p1 bra WAITED;
add.u32 %r2, %r2, 256;
atom.add.release.gpu.u32 %r3, [%rd1], 1;
LOOK: ld.acquire.gpu.u32 %r4, [%rd1];
setp.lt.u32 %p2, %r4, %r2;
@%p2 bra LOOK;
WAITED: bar.sync 0;
add.u32 %r5, %r5, 1;
setp.lt.u32 %p3, %r5, 5;
@%p3 bra ROUND;)",
                               setup);
  EXPECT_EQ(result.outcome.cuda_error, 0);
  EXPECT_EQ(result.out[0], 5 * 256u);
  EXPECT_LT(result.outcome.counters.warp_instructions, 5'000'000u);
}

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

TEST(Machine, DivisionsOfIntegersAreCountedApart) {
  const auto counters = run_body(std::string(own_cell) + R"(
add.u32 %r2, %r1, 1;
rem.u32 %r3, 7, %r2;
div.s32 %r3, %r3, %r2;
cvt.rn.f32.u32 %f1, %r2;
div.rn.f32 %f1, %f1, %f1;
st.global.u32 [%rd2], %r3;)",
                                 block_of(64))
                            .outcome.counters;
  EXPECT_EQ(counters.integer_divisions, 4u) << "two instructions, two warps; that of floats is none";
}

const char* const copied_words = R"(
.shared .align 16 .b8 words[512];
mov.u32 %r5, words;
mad.lo.u32 %r5, %r1, 4, %r5;
mul.wide.u32 %rd3, %r1, 4;
add.u64 %rd3, %rd1, %rd3;
)";

TEST(Machine, LoadsWhileACopyIsOnItsWayAreCountedApart) {
  const auto counters = run_body(std::string(copied_words) + R"(
st.shared.u32 [%r5+128], %r1;
ld.shared.u32 %r2, [%r5+128];
cp.async.ca.shared.global [%r5], [%rd3], 4;
ld.shared.u32 %r3, [%r5+128];
cp.async.wait_all;
ld.shared.u32 %r4, [%r5];)",
                                 block_of(64))
                            .outcome.counters;
  EXPECT_EQ(counters.shared_load_requests, 6u);
  EXPECT_EQ(counters.shared_loads_during_copies, 2u) << "one of three loads, two warps";
}

TEST(Machine, LoadsWhoseValueIsSoonReadAreCountedApart) {
  std::string work;
  for (unsigned i = 0; i < 40; ++i) work += "add.u32 %r9, %r9, 1;\n";
  const auto early = [&](const std::string& behind) {
    return run_body(std::string(copied_words) + "st.shared.u32 [%r5], %r1; ld.shared.u32 %r2, [%r5];\n" + behind)
        .outcome.counters.shared_loads_used_early;
  };
  EXPECT_EQ(early("st.global.u32 [%rd3], %r2;"), 1u);
  EXPECT_EQ(early(work + "st.global.u32 [%rd3], %r2;"), 0u);
  EXPECT_EQ(early(work), 0u) << "no one reads it";
  EXPECT_EQ(early("setp.eq.u32 %p1, %r1, 0; @%p1 bra SKIP;\n" + work + "SKIP: st.global.u32 [%rd3], %r2;"), 1u)
      << "the shortest way counts";
  EXPECT_EQ(early("st.global.u32 [%rd3+4], %r1;\n@%p3 add.u32 %r2, %r2, 1;"), 1u);
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

TEST(Machine, WhatNobodyWroteIsThePoisonByte) {
  Conditions setup;
  setup.poison = std::byte{0x5A};
  setup.functions = R"(.func (.param .b32 result) own() {
.reg .b32 %r<2>; .local .align 4 .b8 cell[16];
ld.local.u32 %r1, [cell+4];
st.param.b32 [result], %r1;
ret;
})";
  const auto result = run_body(R"(.shared .align 4 .b8 values[16];
.local .align 4 .b8 cell[16];
ld.shared.u32 %r2, [values+8];
st.global.u32 [%rd1], %r2;
ld.local.u32 %r3, [cell+12];
st.global.u32 [%rd1+4], %r3;
{ .param .b32 result;
call (result), own;
ld.param.b32 %r4, [result]; }
st.global.u32 [%rd1+8], %r4;)",
                               setup);
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(result.out[i], 0x5a5a5a5au) << i;
}

TEST(Machine, StorageOfABlockIsUsedAgainAndHoldsNothingOfTheLastOne) {
  constexpr std::size_t bytes = 123'456;
  const std::byte* first = nullptr;
  {
    const Storage storage = take_storage(bytes);
    first = storage.get();
    EXPECT_NE(take_storage(bytes).get(), first) << "in use";
  }
  const Storage smaller = take_storage(bytes - 100), larger = take_storage(2 * bytes), much_smaller = take_storage(100);
  EXPECT_TRUE(smaller.get() == first || take_storage(bytes).get() == first);
  EXPECT_NE(larger.get(), first);
  EXPECT_NE(much_smaller.get(), first);
  // Every register and byte is written, and then a kernel of the same size reads what it never wrote.
  const std::string frame = ".shared .align 4 .b8 values[256]; .local .align 4 .b8 cell[16];\n";
  run_body(frame + R"(
mov.u32 %r2, 7; mov.u32 %r3, 7; mov.u32 %r4, 7; mov.u32 %r5, 7; mov.u32 %r6, 7;
st.shared.u32 [values+8], %r2; st.local.u32 [cell+12], %r3;
add.u32 %r7, %r4, %r5; add.u32 %r7, %r7, %r6; st.global.u32 [%rd1], %r7;)");
  const auto result = run_body(frame + R"(
ld.shared.u32 %r2, [values+8]; ld.local.u32 %r3, [cell+12];
st.global.u32 [%rd1], %r2; st.global.u32 [%rd1+4], %r3; st.global.u32 [%rd1+8], %r4; st.global.u32 [%rd1+12], %r5;)");
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(result.out[i], ~0u) << i;
}

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
  for (const std::size_t words : {5 * 64 - 1, 3 * 64, 200}) {  // the last warp, or an earlier block
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

TEST(Machine, BlocksMeetBetweenALookAtATicketAndItsDrawing) {
  // Each block looks how many have drawn, draws, and stores what it had seen: in two steps two blocks can see the same.
  const std::string look_and_draw = R"(
mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd2, %rd1, %rd3;
ld.relaxed.gpu.global.u32 %r3, [%rd1+128];
atom.global.add.u32 %r4, [%rd1+128], 1;
st.global.u32 [%rd2], %r3;
st.global.u32 [%rd2+64], %r4;)";
  Conditions setup;
  setup.grid = {4, 1, 1};
  setup.block = {1, 1, 1};
  const auto distinct = [](const std::vector<std::uint32_t>& out, unsigned from) {
    return std::set<std::uint32_t>(out.begin() + from, out.begin() + from + 4).size();
  };
  const auto plain = run_body(look_and_draw, setup);
  EXPECT_EQ(distinct(plain.out, 0), 4u) << "one block after the other";
  setup.schedule.order = Schedule::Order::adversarial;
  const std::string looks = "ld.relaxed.gpu.global.u32 %r5, [%rd1+192];\n";
  for (const std::string& before : {std::string(), looks, looks + looks}) {
    unsigned met = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      setup.schedule.seed = seed;
      const auto result = run_body(before + look_and_draw, setup);
      met += distinct(result.out, 0) < 4;
      EXPECT_EQ(distinct(result.out, 16), 4u) << "in one step";
    }
    EXPECT_GE(met, 15u) << before;
  }
}

/// Each block says 1, looks what the block before it has said, and says 2. The result: how many blocks have found 1.
std::ptrdiff_t found_one(const std::string& before, unsigned looks, std::uint64_t seed) {
  std::string body = before + R"(
mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd2, %rd1, %rd3;
st.relaxed.gpu.global.u32 [%rd2+4], 1;)";
  for (unsigned look = 0; look < looks; ++look) body += "ld.relaxed.gpu.global.u32 %r3, [%rd2];\n";
  body += "st.relaxed.gpu.global.u32 [%rd2+4], 2; st.global.u32 [%rd2+256], %r3;";
  Conditions setup;
  setup.grid = {40, 1, 1};
  setup.block = {1, 1, 1};
  setup.words = 128;
  setup.schedule.order = Schedule::Order::adversarial;
  setup.schedule.seed = seed;
  const auto result = run_body(body, setup);
  return std::count(result.out.begin() + 65, result.out.begin() + 64 + 40, 1u);
}

TEST(Machine, BlocksSideBySideHaveAllSaidTheFirstThingBeforeOneSaysTheSecond) {
  EXPECT_EQ(found_one("", 2, 2), 39) << "an even seed: in the first launch, and in every second one after it";
  EXPECT_LT(found_one("", 2, 1), 39);
}

TEST(Machine, BlocksSideBySideMeetHoweverOftenTheyReachOthersBefore) {
  const std::string draws = "atom.global.add.u32 %r4, [%rd1+508], 1;\n",
                    looks = "ld.relaxed.gpu.global.u32 %r4, [%rd1];\n",
                    says = "st.relaxed.gpu.global.u32 [%rd1+508], 1;\n";
  for (const std::string& before : {draws, draws + draws, draws + looks, looks, looks + looks, says, says + says}) {
    EXPECT_EQ(found_one(before, 2, 2), 39) << before;
  }
  for (const unsigned looked : {1u, 2u, 3u, 32u}) EXPECT_EQ(found_one(draws, looked, 2), 39) << looked << " looks";
}

TEST(Machine, BlocksSideBySideMeetWhereTheyHaveMuchToReadBefore) {
  const std::string reads = R"(
mov.u32 %r5, 0;
LOOP: ld.global.u32 %r4, [%rd1];
add.u32 %r5, %r5, 1;
setp.lt.u32 %p1, %r5, 1000;
@%p1 bra LOOP;)";
  EXPECT_EQ(found_one(reads, 1, 2), 39);
}

TEST(Machine, BlocksSideBySideMayWaitByAccessesThatNothingOrders) {
  // Each block waits for the one that begins after it.
  const std::string body = R"(
mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd3, %r2, 4; add.s64 %rd2, %rd1, %rd3;
setp.eq.u32 %p1, %r2, 0;
@%p1 bra SAY;
WAIT: ld.global.u32 %r3, [%rd2];
setp.eq.u32 %p2, %r3, 0;
@%p2 bra WAIT;
SAY: st.global.u32 [%rd2+4], 1;)";
  Conditions setup;
  setup.grid = {8, 1, 1};
  setup.block = {1, 1, 1};
  setup.schedule.order = Schedule::Order::adversarial;
  const auto result = run_body(body, setup);
  EXPECT_EQ(result.outcome.cuda_error, 0);
  EXPECT_EQ(std::count(result.out.begin() + 1, result.out.begin() + 9, 1u), 8);
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

TEST(Machine, OnePastTheEndIsFoundWithItsAllocation) {
  Conditions setup;
  setup.words = 31;
  const auto result = run_body(std::string(own_cell) + ".loc 1 42 7\nst.global.u32 [%rd2], %r1;", setup);
  const auto finding = only_finding(result);
  EXPECT_EQ(finding.kind, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.where.line, 42);
  EXPECT_EQ(finding.thread[0], 31u);
  EXPECT_EQ(finding.access_bytes, 4u);
  EXPECT_TRUE(finding.is_store);
  EXPECT_NE(finding.allocation.find("directly past the end of the 31 elements of 4 bytes (124 bytes)"),
            std::string::npos)
      << finding.allocation;
  EXPECT_EQ(result.outcome.cuda_error, 700);
}

TEST(Machine, MisalignedNullAndSharedFaults) {
  EXPECT_EQ(only_finding(run_body("ld.global.u64 %rd3, [%rd1+4];")).kind, FindingKind::misaligned);
  EXPECT_EQ(only_finding(run_body("mov.u64 %rd3, 0; ld.global.u32 %r2, [%rd3+16];")).kind, FindingKind::null_pointer);
  EXPECT_EQ(only_finding(run_body("ld.global.u64 %rd3, [%rd1+4];")).cuda_error, 716);
  Conditions setup;
  setup.dynamic_shared = 64;
  setup.functions = ".extern .shared .align 4 .b8 d[];";
  EXPECT_EQ(run_body("mov.u32 %r2, d; st.shared.u32 [%r2+60], 1;", setup).outcome.cuda_error, 0);
  EXPECT_EQ(only_finding(run_body("mov.u32 %r2, d; st.shared.u32 [%r2+64], 1;", setup)).kind,
            FindingKind::out_of_bounds);
}

TEST(Machine, AnEndlessLoopIsFoundByTheBudget) {
  Conditions setup;
  setup.schedule.step_budget = 100000;
  const auto finding = only_finding(
      run_body(".loc 1 55 1\nLOOP: add.u32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, -2;\n@%p1 bra LOOP;", setup));
  EXPECT_EQ(finding.kind, FindingKind::step_budget);
  EXPECT_EQ(finding.where.line, 55);
}

TEST(Machine, WhoWaitsIsToldOnceWhereTheKernelIs) {
  Conditions setup;
  setup.grid.x = 2;
  setup.schedule.step_budget = 5'000'000;
  std::vector<int> lines;
  setup.schedule.still_running = [&](const Finding& finding) { lines.push_back(finding.where.line); };
  const std::string loop = ".loc 1 55 1\nLOOP: add.u32 %r2, %r2, 1;\nbra LOOP;";
  const auto patient = only_finding(run_body(loop, setup));
  EXPECT_TRUE(lines.empty());
  setup.schedule.patience_seconds = 0;
  EXPECT_EQ(only_finding(run_body(loop, setup)).message, patient.message);
  EXPECT_EQ(lines, std::vector<int>{55});
}

TEST(Machine, TheBudgetCountsInstructionsWhateverIsWatched) {
  Conditions setup;
  setup.schedule.step_budget = 100000;
  for (const std::string body : {"ld.global.u32 %r2, [%rd1];", "atom.global.add.u32 %r2, [%rd1], 1;"}) {
    for (const bool watched : {false, true}) {
      Checks checks;
      if (watched) checks.race = std::make_unique<RaceChecker>();
      const auto result = run_body(
          "LOOP: " + body + "\nadd.u32 %r3, %r3, 1;\nsetp.ne.u32 %p1, %r3, -2;\n@%p1 bra LOOP;", setup, &checks);
      EXPECT_EQ(only_finding(result).kind, FindingKind::step_budget);
      EXPECT_NEAR(static_cast<double>(result.outcome.counters.warp_instructions), 100000, 10);
    }
  }
}

/// What becomes of a loop, and after how many warp instructions. The budget would be 10 millions.
struct LoopEnd {
  FindingKind kind;
  std::uint64_t instructions;
};
LoopEnd end_of_loop(const std::string& body, Conditions setup = {}) {
  setup.schedule.step_budget = 10'000'000;
  const auto result = run_body(body, setup);
  return {only_finding(result).kind, result.outcome.counters.warp_instructions};
}

constexpr std::uint64_t soon = 5'000'000;

TEST(EndlessLoop, IsProvenWhenRegistersComeAgain) {
  // offset = 16, 8, 4, 2, 1, 0, 0, ...: a condition `offset >= 0` around a shuffle.
  const auto end = end_of_loop(R"(mov.u32 %r2, 16;
.loc 1 55 1
LOOP: shfl.sync.down.b32 %r3, %r1, %r2, 31, -1;
shr.u32 %r2, %r2, 1;
setp.ge.s32 %p1, %r2, 0;
@%p1 bra LOOP;)");
  EXPECT_EQ(end.kind, FindingKind::endless_loop);
  EXPECT_LT(end.instructions, soon);
}

TEST(EndlessLoop, IsProvenWhateverThePeriod) {
  // The low 18 bits of a counter: they come again after 262,144 rounds.
  const auto end = end_of_loop("LOOP: add.u32 %r2, %r2, 1;\nand.b32 %r2, %r2, 0x3ffff;\nbra LOOP;");
  EXPECT_EQ(end.kind, FindingKind::endless_loop);
  EXPECT_LT(end.instructions, soon);
}

TEST(EndlessLoop, IsNotOneThatCounts) {
  // 3 million rounds, in which a second warp waits.
  const auto result = run_body(R"(mov.u32 %r2, 0;
setp.ge.u32 %p2, %r1, 32;
@%p2 bra MEET;
LOOP: add.u32 %r2, %r2, 1;
setp.lt.u32 %p1, %r2, 3000000;
@%p1 bra LOOP;
MEET: bar.sync 0;)",
                               block_of(64));
  EXPECT_EQ(result.outcome.cuda_error, 0);
}

TEST(EndlessLoop, StoresDoNotMatterWhereNothingIsRead) {
  EXPECT_EQ(end_of_loop("LOOP: st.global.u32 [%rd1], %r1;\nbra LOOP;").kind, FindingKind::endless_loop);
}

TEST(EndlessLoop, MayRunRoundABarrier) {
  const auto end = end_of_loop("LOOP: bar.sync 0;\nbra LOOP;", block_of(128));
  EXPECT_EQ(end.kind, FindingKind::endless_loop);
  EXPECT_LT(end.instructions, soon);
}

const char* const wait_for_shared = R"(.shared .align 4 .b32 flag;
mov.u32 %r5, flag;
st.shared.u32 [%r5], 0;
bar.sync 0;
setp.ge.u32 %p1, %r1, 32;
@%p1 bra SECOND;
LOOP: ld%s.shared.u32 %r6, [%r5];
setp.eq.u32 %p2, %r6, 0;
@%p2 bra LOOP;
SECOND: %s
st.volatile.shared.u32 [%r5], 1;
)";
std::string waiting_for_shared(const std::string& kind, const std::string& before) {
  std::string text = wait_for_shared;
  text.replace(text.find("%s"), 2, kind);
  text.replace(text.find("%s"), 2, before);
  return text;
}

TEST(EndlessLoop, IsProvenWhereNoBranchLeadsOutOfIt) {
  // It stores and counts in each round, so no state comes again.
  const std::string loop = "LOOP: add.u32 %r2, %r2, 1;\natom.global.add.u32 %r3, [%rd1], 1;\n";
  Conditions setup;
  setup.schedule.step_budget = 200'000;
  const Finding found = only_finding(run_body(loop + "bra LOOP;", setup));
  EXPECT_EQ(found.kind, FindingKind::endless_loop);
  EXPECT_EQ(found.message.find("an endless loop: no branch leads out of it"), 0u) << found.message;
  // What may end it: a branch, a return, a trap, and a function that it calls.
  for (const std::string exit : {"@%p1 bra OUT;", "@%p1 ret;", "@%p1 exit;", "@%p1 trap;", "call.uni stop;"}) {
    setup.functions = ".func stop() { ret; }\n";
    const auto result = run_body(loop + "setp.eq.u32 %p1, %r2, -2;\n" + exit + "\nbra LOOP;\nOUT:", setup);
    EXPECT_EQ(only_finding(result).kind, FindingKind::step_budget) << exit;
  }
}

TEST(EndlessLoop, WaitsForAWarpThatWaits) {
  const auto end = end_of_loop(waiting_for_shared(".volatile", "bar.sync 0;"), block_of(64));
  EXPECT_EQ(end.kind, FindingKind::endless_loop);
  EXPECT_LT(end.instructions, soon);
}

TEST(EndlessLoop, IsNotProvenWhereAnotherWarpCouldWrite) {
  // The load is not volatile: the machine gives the other warp no turn. But a GPU may.
  EXPECT_EQ(end_of_loop(waiting_for_shared("", ""), block_of(64)).kind, FindingKind::step_budget);
}

TEST(EndlessLoop, IsNotProvenWhereAnotherOrderCouldEndIt) {
  // A flag that is raised for a moment: the waiting warp never has its turn just then.
  const std::string raise = R"(
AGAIN: st.volatile.shared.u32 [%r5], 1;
st.volatile.shared.u32 [%r5], 0;
ld.volatile.shared.u32 %r9, [%r5];
setp.ne.u32 %p3, %r9, 7;
@%p3 bra AGAIN;)";
  EXPECT_EQ(end_of_loop(waiting_for_shared(".volatile", raise), block_of(64)).kind, FindingKind::step_budget);
}

TEST(EndlessLoop, IsNotOneThatWaitsForASlowWarp) {
  const std::string slow = R"(mov.u32 %r7, 0;
COUNT: add.u32 %r7, %r7, 1;
ld.volatile.shared.u32 %r8, [%r5];
setp.lt.u32 %p3, %r7, 1000000;
@%p3 bra COUNT;)";
  EXPECT_EQ(run_body(waiting_for_shared(".volatile", slow), block_of(64)).outcome.cuda_error, 0);
}

/// Block 0 waits for out[0]; the others do as `%s` says, and raise it if they come to the end.
std::string waiting_for_blocks(const std::string& others) {
  std::string text = R"(mov.u32 %r4, %ctaid.x;
setp.ne.u32 %p1, %r4, 0;
@%p1 bra OTHERS;
LOOP: ld.volatile.global.u32 %r6, [%rd1];
setp.eq.u32 %p2, %r6, 0;
@%p2 bra LOOP;
OTHERS: %s
st.volatile.global.u32 [%rd1], 1;)";
  return text.replace(text.find("%s"), 2, others);
}
const char* const wait_too = "WAIT: atom.global.cas.b32 %r7, [%rd1], 2, 3;\nsetp.ne.u32 %p3, %r7, 1;\n@%p3 bra WAIT;";

TEST(EndlessLoop, OfAllBlocks) {
  Conditions setup;
  setup.grid.x = 3;
  EXPECT_EQ(end_of_loop(waiting_for_blocks(wait_too), setup).kind, FindingKind::endless_loop);
  setup.grid.x = 1;
  EXPECT_EQ(end_of_loop(waiting_for_blocks(""), setup).kind, FindingKind::endless_loop);
  setup.grid.x = 10;  // they take turns, and are looked at sooner than one that gets on
  const auto end = end_of_loop(waiting_for_blocks(wait_too), setup);
  EXPECT_EQ(end.kind, FindingKind::endless_loop);
  EXPECT_LT(end.instructions, setup.grid.x * 500'000);
}

TEST(EndlessLoop, OfBlocksThatWaitForOnesThatFindNoPlace) {
  // All others wait for block 0, which begins last.
  const std::string body = R"(mov.u32 %r4, %ctaid.x;
setp.eq.u32 %p1, %r4, 0;
@%p1 bra OPEN;
LOOP: ld.volatile.global.u32 %r6, [%rd1];
setp.ne.u32 %p2, %r6, 1;
@%p2 bra LOOP;
OPEN: st.volatile.global.u32 [%rd1], 1;)";
  Conditions setup;
  setup.grid.x = 8;
  setup.schedule.order = Schedule::Order::adversarial;
  EXPECT_EQ(run_body(body, setup).outcome.cuda_error, 0);
  setup.schedule.blocks = 8;
  EXPECT_EQ(run_body(body, setup).outcome.cuda_error, 0);
  setup.schedule.blocks = 2;
  const auto result = run_body(body, setup);
  const Finding& found = only_finding(result);
  EXPECT_EQ(found.kind, FindingKind::endless_loop);
  EXPECT_NE(found.message.find("6 blocks, which may begin in any order, have not begun"), std::string::npos)
      << found.message;
}

/// Warps that spin side by side, in an order in which they never stand again as they stood, all at once.
Conditions in_random_order(std::uint64_t seed, std::uint32_t blocks, std::uint32_t threads) {
  Conditions setup = block_of(threads);
  setup.grid.x = blocks;
  setup.schedule.order = Schedule::Order::random;
  setup.schedule.seed = seed;
  return setup;
}

TEST(EndlessLoop, OfManyWarpsInAnyOrder) {
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    auto setup = in_random_order(seed, 6, 256);
    const auto of_blocks = end_of_loop(waiting_for_blocks(wait_too), setup);
    EXPECT_EQ(of_blocks.kind, FindingKind::endless_loop);
    EXPECT_LT(of_blocks.instructions, soon);
    // Loops of different lengths, and one warp that waits at a barrier.
    setup.grid.x = 1;
    const std::string others = R"(setp.ge.u32 %p3, %r1, 96;
@%p3 bra LAST;
TOO: ld.volatile.shared.u32 %r7, [%r5+0];
ld.volatile.global.u32 %r8, [%rd1];
add.u32 %r7, %r7, %r8;
setp.eq.u32 %p4, %r7, 0;
@%p4 bra TOO;
LAST: bar.sync 0;)";
    const auto of_one = end_of_loop(waiting_for_shared(".volatile", others), setup);
    EXPECT_EQ(of_one.kind, FindingKind::endless_loop);
    EXPECT_LT(of_one.instructions, soon);
  }
}

TEST(EndlessLoop, MayStoreToLocalMemoryByAGenericAddress) {
  // As unoptimised code does with what it has loaded. To another space it is a write as any other.
  const std::string keep = R"(.local .align 4 .b32 kept;
mov.u32 %r5, kept;
cvt.u64.u32 %rd3, %r5;
cvta.local.u64 %rd3, %rd3;
)";
  const std::string loop = R"(LOOP: ld.volatile.global.u32 %r6, [%rd1];
st.u32 [%rd3], %r6;
setp.eq.u32 %p2, %r6, 0;
@%p2 bra LOOP;)";
  EXPECT_EQ(end_of_loop(keep + loop, in_random_order(1, 2, 64)).kind, FindingKind::endless_loop);
  EXPECT_EQ(end_of_loop("add.s64 %rd3, %rd1, 8;\n" + loop, in_random_order(1, 2, 64)).kind, FindingKind::step_budget);
}

TEST(EndlessLoop, SaysWhatItLooksAt) {
  const auto result = run_body(waiting_for_blocks(wait_too), in_random_order(1, 2, 64));
  EXPECT_EQ(only_finding(result).allocation,
            "element 0 of the 64 elements of 4 bytes (256 bytes) of allocation 1 (cudaMalloc), and holds 0x00000000");
  const auto in_block = run_body(waiting_for_shared(".volatile", "bar.sync 0;"), in_random_order(1, 1, 64));
  EXPECT_EQ(only_finding(in_block).allocation,
            "element 0 of the 1 element of 4 bytes of the shared array 'flag', and holds 0x00000000");
}

TEST(EndlessLoop, IsNotProvenWhileAWarpGetsOn) {
  // The others have come round long before; it writes only at the end, and looks at memory now and then.
  const std::string slow = R"(setp.lt.u32 %p3, %r1, 224;
@%p3 bra WAIT;
mov.u32 %r7, 0;
COUNT: add.u32 %r7, %r7, 1;
ld.volatile.global.u32 %r8, [%rd1+8];
setp.lt.u32 %p4, %r7, 100000;
@%p4 bra COUNT;
bra RAISE;
WAIT: ld.volatile.global.u32 %r8, [%rd1];
setp.eq.u32 %p5, %r8, 0;
@%p5 bra WAIT;
RAISE:)";
  EXPECT_EQ(run_body(waiting_for_blocks(slow), in_random_order(1, 2, 256)).outcome.cuda_error, 0);
}

TEST(EndlessLoop, IsNotProvenWhereLanesOfTheWarpCouldWrite) {
  // The load is not volatile: the machine gives the other lanes no turn, though it stops at each load. But a GPU may.
  const std::string body = R"(and.b32 %r1, %r1, 31;
setp.ge.u32 %p1, %r1, 16;
@%p1 bra RAISE;
LOOP: ld.global.u32 %r6, [%rd1];
setp.eq.u32 %p2, %r6, 0;
@%p2 bra LOOP;
bra DONE;
RAISE: st.global.u32 [%rd1], 1;
DONE:)";
  for (const std::uint32_t threads : {32u, 64u}) {
    Conditions setup = block_of(threads);
    setup.schedule.order = Schedule::Order::adversarial;
    EXPECT_EQ(end_of_loop(body, setup).kind, FindingKind::step_budget);
  }
}

TEST(EndlessLoop, IsNotOneThatWaitsForASlowBlock) {
  Conditions setup;
  setup.grid.x = 2;
  const std::string slow = R"(mov.u32 %r7, 0;
COUNT: add.u32 %r7, %r7, 1;
ld.volatile.global.u32 %r8, [%rd1+8];
setp.lt.u32 %p3, %r7, 1000000;
@%p3 bra COUNT;)";
  EXPECT_EQ(run_body(waiting_for_blocks(slow), setup).outcome.cuda_error, 0);
}

TEST(EndlessLoop, IsNotProvenWhileBlocksAreStillToRun) {
  // Blocks so large that only a few are under way at a time; it is the last one that would raise the flag.
  Conditions setup;
  setup.grid.x = 20;
  EXPECT_EQ(end_of_loop(R"(.local .align 4 .b8 large[400000];
mov.u32 %r4, %ctaid.x;
setp.eq.u32 %p1, %r4, 19;
@%p1 st.volatile.global.u32 [%rd1], 1;
LOOP: ld.volatile.global.u32 %r6, [%rd1];
setp.eq.u32 %p2, %r6, 0;
@%p2 bra LOOP;)",
                        setup)
                .kind,
            FindingKind::step_budget);
}

TEST(EndlessLoop, IsNotProvenWhereAnAtomicChangesWhatItReads) {
  EXPECT_EQ(end_of_loop(
                "LOOP: atom.global.add.u32 %r2, [%rd1], 1;\nsetp.ne.u32 %p1, %r2, -1;\nmov.u32 %r2, 0;\n@%p1 bra LOOP;")
                .kind,
            FindingKind::step_budget);
}

TEST(EndlessLoop, IsNotProvenWhereTheClockDecides) {
  // Its upper half, which comes to this number only after ages.
  EXPECT_EQ(end_of_loop("LOOP: mov.u32 %r2, %clock_hi;\nsetp.ne.u32 %p1, %r2, 0xffffffff;\n@%p1 bra LOOP;").kind,
            FindingKind::step_budget);
}

TEST(Machine, AWaitForTheClockEnds) {
  const auto wait = [](const std::string& between) {
    Conditions setup;
    setup.schedule.step_budget = 1'000'000;
    return run_body("mov.u64 %rd3, %clock64;\nLOOP: mov.u64 %rd4, %clock64;\n" + between +
                        "sub.s64 %rd5, %rd4, %rd3;\nsetp.lt.u64 %p1, %rd5, 1000000000;\n@%p1 bra LOOP;",
                    setup)
        .outcome.findings;
  };
  EXPECT_TRUE(wait("").empty());
  // A loop that also looks at memory may wait for somebody, and give up after a time: there the clock does not hurry.
  ASSERT_EQ(wait("ld.volatile.global.u32 %r2, [%rd1];\n").size(), 1u);
  EXPECT_EQ(wait("ld.volatile.global.u32 %r2, [%rd1];\n")[0].kind, FindingKind::step_budget);
}

TEST(EndlessLoop, IsNotProvenWhereTheHostMayWrite) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out) {
.reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
ld.param.u64 %rd1, [out];
LOOP: ld.volatile.global.u32 %r1, [%rd1];
setp.ne.u32 %p1, %r1, 1;
@%p1 bra LOOP;
ret;
})";
  for (const bool shared : {false, true}) {
    Memory memory(memory_bytes);
    Module module(ptx::parse(text), memory);
    const auto* flag = memory.allocate(4, shared ? Origin::cuda_malloc_host : Origin::cuda_malloc);
    Launch launch;
    launch.block.x = 32;
    launch.parameters.resize(8);
    std::memcpy(launch.parameters.data(), &flag->address, 8);
    Schedule schedule;
    schedule.step_budget = soon;
    const auto findings = run(module.program("k"), launch, memory, schedule).findings;
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, shared ? FindingKind::step_budget : FindingKind::endless_loop);
  }
}

TEST(Machine, TheFirstBlockThatFaultsIsReportedByEveryWorker) {
  Conditions setup;
  setup.grid.x = 1000;
  const std::string body =
      "mov.u32 %r2, %ctaid.x; setp.lt.u32 %p1, %r2, 300; @%p1 bra DONE; trap;\nDONE: mov.u32 %r3, 1;";
  for (unsigned workers : {1u, 2u, 4u}) {
    setup.schedule.workers = workers;
    EXPECT_EQ(only_finding(run_body(body, setup)).block[0], 300u);
  }
}

TEST(Machine, CallsRecursionAndFunctionPointers) {
  Conditions setup;
  setup.functions = R"(
.func (.param .b32 r) fact(.param .b32 n) {
.reg .b32 %x<4>; .reg .pred %q;
ld.param.u32 %x1, [n];
setp.le.u32 %q, %x1, 1;
@%q bra ONE;
sub.u32 %x2, %x1, 1;
{ .param .b32 a; .param .b32 b; st.param.b32 [a], %x2; call.uni (b), fact, (a); ld.param.b32 %x3, [b]; }
mul.lo.u32 %x3, %x3, %x1;
st.param.b32 [r], %x3;
ret;
ONE: st.param.b32 [r], 1;
ret;
}
.func (.param .b32 r) twice(.param .b32 n) { .reg .b32 %x<2>; ld.param.u32 %x1, [n]; add.u32 %x1, %x1, %x1; st.param.b32 [r], %x1; ret; }
)";
  const auto result = run_body(std::string(own_cell) + R"(
and.b32 %r2, %r1, 7;
and.b32 %r3, %r1, 1;
setp.eq.u32 %p1, %r3, 0;
mov.u64 %rd3, fact; mov.u64 %rd4, twice;
selp.b64 %rd5, %rd3, %rd4, %p1;
{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r2;
P: .callprototype (.param .b32 _) _ (.param .b32 _);
call (b), %rd5, (a), P; ld.param.b32 %r4, [b]; }
activemask.b32 %r5; popc.b32 %r5, %r5; mad.lo.u32 %r4, %r5, 100000, %r4;
st.global.u32 [%rd2], %r4;)",
                               setup);
  EXPECT_EQ(result.outcome.cuda_error, 0);
  const std::uint32_t factorial[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (unsigned t = 0; t < 32; ++t)
    EXPECT_EQ(result.out[t], 3200000 + (t % 2 == 0 ? factorial[t % 8] : 2 * (t % 8))) << t;
}

TEST(Machine, ACallThroughAPointerToNoFunctionIsFound) {
  const auto result = run_body(R"(
mov.u64 %rd3, 4660;
P: .callprototype () _ ();
call %rd3, (), P;)");
  EXPECT_EQ(only_finding(result).kind, FindingKind::invalid_target);
  EXPECT_EQ(result.outcome.cuda_error, 718);
}

TEST(Machine, EndlessRecursionOverflowsTheStack) {
  Conditions setup;
  setup.functions = ".func f() { call f; ret; }";
  EXPECT_EQ(only_finding(run_body("call f;", setup)).kind, FindingKind::stack_overflow);
}

TEST(Machine, UnknownInstructionsAreRefusedBeforeTheFirstStep) {
  try {
    run_body("st.global.u32 [%rd1], 1;\n.loc 1 77 1\nfrobnicate.u32 %r2, %r3;");
    FAIL() << "not refused";
  } catch (const Refusal& refusal) {
    EXPECT_NE(refusal.message.find("student.cu:77"), std::string::npos) << refusal.message;
    EXPECT_NE(refusal.message.find("frobnicate.u32"), std::string::npos) << refusal.message;
  }
}

TEST(Machine, SectorsRequestsAndConflicts) {
  // 32 neighbouring floats: 4 sectors. A stride of 8 floats: 32 sectors. 32 words of one bank: 32 wavefronts.
  const auto coalesced = run_body(std::string(own_cell) + "ld.global.f32 %f1, [%rd2];");
  EXPECT_EQ(coalesced.outcome.counters.global_load_requests, 1u);
  EXPECT_EQ(coalesced.outcome.counters.global_load_sectors, 4u);
  Conditions wide;
  wide.words = 32 * 8;
  const auto strided =
      run_body("mul.wide.u32 %rd2, %r1, 32; add.s64 %rd2, %rd1, %rd2; ld.global.f32 %f1, [%rd2];", wide);
  EXPECT_EQ(strided.outcome.counters.global_load_sectors, 32u);
  Conditions shared;
  shared.functions = ".shared .align 4 .b8 s[4096];";
  const auto conflicts =
      run_body("mov.u32 %r2, s; shl.b32 %r3, %r1, 7; add.u32 %r2, %r2, %r3; ld.shared.u32 %r4, [%r2];", shared);
  EXPECT_EQ(conflicts.outcome.counters.shared_load_wavefronts, 32u);
  EXPECT_EQ(conflicts.outcome.counters.shared_load_bank_conflicts, 31u);
}

TEST(Machine, OneSeedGivesTheSameBits) {
  // A race on purpose: the last writer wins, and who that is depends on the schedule alone.
  Conditions setup = block_of(1024);
  setup.schedule.order = Schedule::Order::random;
  std::vector<std::uint32_t> winners;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    setup.schedule.seed = seed;
    const auto once = run_body("st.global.u32 [%rd1], %r1;", setup),
               again = run_body("st.global.u32 [%rd1], %r1;", setup);
    EXPECT_EQ(once.out[0], again.out[0]);
    winners.push_back(once.out[0]);
  }
  bool differ = false;
  for (auto w : winners) differ |= w != winners.front();
  EXPECT_TRUE(differ);
}

// Programs are untrusted: whatever a damaged text still means is refused, found faulty, or runs; nothing else happens.
TEST(Machine, DamagedProgramsNeverCrashTheSimulator) {
  const std::string good = R"(.version 8.0
.target sm_75
.address_size 64
.global .align 8 .u64 table[2] = {twice, twice};
.shared .align 4 .b8 s[256];
.func (.param .b32 r) twice(.param .b32 n) { .reg .b32 %x<2>; ld.param.u32 %x1, [n]; add.u32 %x1, %x1, %x1; st.param.b32 [r], %x1; ret; }
.visible .entry k(.param .u64 out) {
.local .align 8 .b8 depot[32];
.reg .pred %p<4>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, s; shl.b32 %r3, %r1, 2; add.u32 %r4, %r2, %r3;
st.shared.u32 [%r4], %r1;
bar.sync 0;
ld.shared.u32 %r5, [%r4];
mov.u64 %rd2, depot; st.local.u32 [%rd2+8], %r5;
LOOP: sub.u32 %r5, %r5, 1; setp.gt.s32 %p1, %r5, 3; @%p1 bra LOOP;
mov.u64 %rd3, table; ld.global.u64 %rd4, [%rd3+8];
{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r5;
P: .callprototype (.param .b32 _) _ (.param .b32 _);
call (b), %rd4, (a), P; ld.param.b32 %r6, [b]; }
shfl.sync.bfly.b32 %r7|%p2, %r6, 1, 31, -1;
atom.global.add.u32 %r8, [%rd1], %r7;
mul.wide.u32 %rd5, %r1, 4; add.s64 %rd5, %rd1, %rd5;
st.global.v2.u32 [%rd1+8], {%r7, %r8};
ret;
}
)";
  std::uint32_t state = 12345;
  auto random = [&state](std::uint32_t below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
  unsigned ran = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = good;
    for (std::uint32_t changes = 1 + random(3); changes > 0; --changes) {
      const auto at = random(static_cast<std::uint32_t>(text.size()));
      const auto other = random(static_cast<std::uint32_t>(text.size()));
      switch (random(10)) {
        case 0:
          text[at] = "0123456789,;[]{}()%.+-abdlrsu"[random(29)];
          break;
        case 1:
          text.erase(at, 1 + random(6));
          break;
        case 2:
          text.insert(at, text.substr(other, 1 + random(12)));
          break;
        case 3:
          std::swap(text[at], text[other]);
          break;
        default:  // mostly another number: registers, offsets and sizes that still parse
          if (const auto digit = text.find_first_of("0123456789", at); digit != std::string::npos) {
            text[digit] = static_cast<char>('0' + random(10));
          }
          break;
      }
    }
    try {
      Memory memory(memory_bytes);
      Module module(ptx::parse(text), memory);
      if (!module.has_kernel("k")) continue;
      Launch launch;
      launch.block.x = 64;
      launch.parameters.resize(module.info("k").parameter_bytes);
      const auto* out = memory.allocate(256, Origin::cuda_malloc);
      if (launch.parameters.size() >= 8) std::memcpy(launch.parameters.data(), &out->address, 8);
      Schedule schedule;
      schedule.step_budget = 20000;
      run(module.program("k"), launch, memory, schedule);
      ++ran;
    } catch (const Refusal& refusal) {
      EXPECT_FALSE(refusal.message.empty());
    } catch (const ptx::SyntaxError& error) {
      EXPECT_NE(std::string(error.what()).find("PTX line"), std::string::npos) << error.what();
    }
  }
  EXPECT_GT(ran, 100u) << "too few of the damaged programs still ran to say anything about the machine";
}

}  // namespace
}  // namespace cudasim
