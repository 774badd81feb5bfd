// SPDX-License-Identifier: MIT
// Loops that are proven to be endless, and those that are not.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "base/finding.h"
#include "decode/module.h"
#include "machine/run.h"
#include "machine_kernel.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

using namespace test;

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

}  // namespace
}  // namespace cudasim
