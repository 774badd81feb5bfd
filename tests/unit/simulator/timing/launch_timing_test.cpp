// SPDX-License-Identifier: MIT
// The counts of an estimate for kernels that are small enough to count by hand.
#include "timing/launch_timing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

/// Runs a kernel with one parameter, an address in 64 KB of zeros that begin at a line. `body` finds the address in
/// %rd1, the thread of the grid in %r1, the one of the block in %r2 and the block in %r3.
LaunchTiming timing_of(const std::string& body, std::uint32_t blocks, std::uint32_t threads, unsigned workers = 1) {
  Memory memory(64 << 20);
  Module module(ptx::parse(R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 data) {
.reg .pred %p<9>; .reg .b32 %r<30>; .reg .b64 %rd<30>; .reg .f32 %f<9>;
ld.param.u64 %rd1, [data]; mov.u32 %r2, %tid.x; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x;
mad.lo.u32 %r1, %r3, %r4, %r2;
)" + body + "ret;\n}\n"),
                memory);
  const Allocation* data = memory.allocate(64 << 10, Origin::cuda_malloc);
  std::fill_n(data->host, data->size_bytes, std::byte{0});
  Launch launch;
  launch.grid.x = blocks;
  launch.block.x = threads;
  launch.parameters.resize(sizeof data->address);
  std::memcpy(launch.parameters.data(), &data->address, sizeof data->address);
  launch.timing = std::make_shared<LaunchTiming>();
  Schedule schedule;
  schedule.workers = workers;
  const Program& program = module.program("k");
  const Outcome outcome = run(program, launch, memory, schedule);
  EXPECT_EQ(outcome.cuda_error, 0) << (outcome.findings.empty() ? "" : outcome.findings.front().message);
  launch.timing->finish(program, outcome.by_instruction);
  std::uint64_t instructions = 0;
  for (const std::uint64_t of_class : launch.timing->classes) instructions += of_class;
  EXPECT_EQ(instructions, outcome.counters.warp_instructions);
  return *launch.timing;
}

// Thread i moves element i + `%r9` of the first half to element i of the second half.
const std::string kCopy = R"(
mul.wide.u32 %rd2, %r1, 4; add.u64 %rd3, %rd1, %rd2; mul.wide.u32 %rd4, %r9, 4; add.u64 %rd4, %rd3, %rd4;
ld.global.f32 %f1, [%rd4]; st.global.f32 [%rd3+32768], %f1;
)";

TEST(LaunchTiming, ACopyTouchesEachLineOnce) {
  const GlobalAccesses::Totals totals = timing_of("mov.u32 %r9, 0;" + kCopy, 8, 64).accesses;
  EXPECT_EQ(totals.load_lines, 16u);
  EXPECT_EQ(totals.store_lines, 16u);
  EXPECT_EQ(totals.whole_sectors, 64u);
  EXPECT_EQ(totals.partial_sectors, 0u);
  EXPECT_EQ(totals.load_footprint, 64u);
  EXPECT_EQ(totals.store_footprint, 64u);
  EXPECT_EQ(totals.random_loads, 0u);
}

TEST(LaunchTiming, AMisalignedLoadTouchesTwoLinesEachTime) {
  const GlobalAccesses::Totals totals = timing_of("mov.u32 %r9, 1;" + kCopy, 8, 64).accesses;
  EXPECT_EQ(totals.load_lines, 32u);
  EXPECT_EQ(totals.load_footprint, 65u);
}

TEST(LaunchTiming, AStoreOfEveryOtherWordIsInParts) {
  const LaunchTiming timing = timing_of(
      "mul.wide.u32 %rd2, %r1, 8; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1; ld.global.u32 %r5, [%rd3];", 2,
      32);
  EXPECT_EQ(timing.accesses.store_lines, 4u);
  EXPECT_EQ(timing.accesses.whole_sectors, 0u);
  EXPECT_EQ(timing.accesses.partial_sectors, 16u);
  EXPECT_EQ(timing.accesses.load_footprint, 16u);
}

TEST(LaunchTiming, ALoadOfMoreThan16LinesIsRandom) {
  const std::string far = "mul.wide.u32 %rd2, %r1, 128; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r5, [%rd3];";
  EXPECT_EQ(timing_of(far, 3, 32).accesses.random_loads, 3u);
  EXPECT_EQ(timing_of(far, 3, 16).accesses.random_loads, 0u);
}

TEST(LaunchTiming, SeveralWorkersCountTheSame) {
  // The loop makes a block long enough that other workers are called.
  const std::string long_copy =
      "mov.u32 %r9, 0; mov.u32 %r10, 0;\nLOOP: add.u32 %r10, %r10, 1;\n"
      "setp.lt.u32 %p1, %r10, 5000; @%p1 bra LOOP;" +
      kCopy + "red.global.add.u32 [%rd1+60000], 1;";
  const LaunchTiming one = timing_of(long_copy, 8, 64), four = timing_of(long_copy, 8, 64, 4);
  for (const LaunchTiming* timing : {&one, &four}) {
    EXPECT_EQ(timing->accesses.load_lines, 16u);
    EXPECT_EQ(timing->accesses.load_footprint, 64u + 1);  // an atomic loads and stores
    EXPECT_EQ(timing->accesses.store_footprint, 64u + 1);
    EXPECT_EQ(timing->longest_queue.updates, 512u);
    EXPECT_EQ(timing->longest_queue.requests, 16u);
  }
}

TEST(LaunchTiming, TheLongestQueueIsThatOfASlice) {
  // Threads add to words 0 and 1, 64 bytes behind them each 4th thread adds a double.
  const LaunchTiming timing = timing_of(R"(
and.b32 %r5, %r2, 1; mul.wide.u32 %rd2, %r5, 4; add.u64 %rd3, %rd1, %rd2; red.global.add.u32 [%rd3], 1;
and.b32 %r6, %r2, 3; setp.eq.u32 %p1, %r6, 0; mov.f64 %rd5, 0d3FF0000000000000;
@%p1 atom.global.add.f64 %rd6, [%rd1+64], %rd5; @%p1 st.global.u64 [%rd1+128], %rd6;
)",
                                        5, 64);
  EXPECT_EQ(timing.longest_queue.updates, 160u + 80);  // the two words go side by side
  EXPECT_EQ(timing.longest_queue.requests, 10u);
  EXPECT_EQ(timing.longest_queue.width, 4u);
  EXPECT_TRUE(timing.longest_queue.is_reduction);
  EXPECT_FALSE(timing.longest_queue.is_floating);
  const LaunchTiming doubles = timing_of(
      "mov.f64 %rd5, 0d3FF0000000000000; atom.global.add.f64 %rd6, [%rd1+64], %rd5;"
      "st.global.u64 [%rd1+128], %rd6;",
      1, 32);
  EXPECT_EQ(doubles.longest_queue.updates, 32u);
  EXPECT_EQ(doubles.longest_queue.width, 8u);
  EXPECT_FALSE(doubles.longest_queue.is_reduction);
  EXPECT_TRUE(doubles.longest_queue.is_floating);
}

TEST(LaunchTiming, ASliceHasTwoLinesAndThoseOf512BytesFurther) {
  const auto longest = [](const char* second) {
    const std::string add = "red.global.add.u32 [%rd1], 1; red.global.add.u32 [%rd1+";
    return timing_of(add + second + "], 1;", 1, 32).longest_queue.updates;
  };
  EXPECT_EQ(longest("128"), 64u);
  EXPECT_EQ(longest("512"), 64u);
  EXPECT_EQ(longest("256"), 32u);
  EXPECT_EQ(longest("1024"), 32u);
}

TEST(LaunchTiming, PassesOfALoadAreThoseOfABank) {
  const auto passes = [](const char* bytes) {
    const std::string address = std::string("mul.wide.u32 %rd2, %r1, ") + bytes + "; add.u64 %rd3, %rd1, %rd2; ";
    return timing_of(address + "ld.global.u32 %r5, [%rd3]; add.u32 %r6, %r5, %r5;", 1, 32).accesses.load_passes;
  };
  EXPECT_EQ(passes("4"), 1u);
  EXPECT_EQ(passes("8"), 2u);
  EXPECT_EQ(passes("128"), 32u);
  EXPECT_EQ(passes("132"), 1u);
  EXPECT_EQ(passes("0"), 1u);
}

BlockWaits::Result waits_of(const std::string& body, std::uint32_t blocks, std::uint32_t threads = 1) {
  return timing_of(body, blocks, threads).waits;
}

// Block b > 0 polls word b - 1; %rd3 is the address of word b.
const std::string kAddress = "mul.wide.u32 %rd2, %r3, 4; add.u64 %rd3, %rd1, %rd2; setp.eq.u32 %p1, %r3, 0;\n";
const std::string kPoll =
    "@%p1 bra DONE;\nPOLL: ld.volatile.global.u32 %r5, [%rd3+-4]; setp.eq.u32 %p2, %r5, 0;"
    "@%p2 bra POLL;\nDONE:\n";

TEST(BlockWaits, EachBlockMayWaitForTheOneBefore) {
  const auto waits = waits_of(kAddress + kPoll + "mov.u32 %r6, 1; st.volatile.global.u32 [%rd3], %r6;", 5);
  EXPECT_EQ(waits.blocks, 4u);
  EXPECT_EQ(waits.longest_chain, 4u);
  EXPECT_EQ(waits.widest_look, 1u);
  EXPECT_FALSE(waits.is_unknown);
}

TEST(BlockWaits, APlainStoreOfOneLaneIsFollowedToo) {
  EXPECT_EQ(waits_of(kAddress + kPoll + "mov.u32 %r6, 1; st.global.u32 [%rd3], %r6;", 5).longest_chain, 4u);
}

TEST(BlockWaits, ALoopMayBeTurnedRound) {
  const std::string turned =
      "@%p1 bra DONE;\nld.volatile.global.u32 %r5, [%rd3+-4]; setp.ne.u32 %p2, %r5, 0;\n@%p2 bra DONE;\n"
      "POLL: nanosleep.u32 20; ld.volatile.global.u32 %r5, [%rd3+-4]; setp.eq.u32 %p2, %r5, 0;"
      "@%p2 bra POLL;\nDONE:\n";
  EXPECT_EQ(waits_of(kAddress + turned + "mov.u32 %r6, 1; st.volatile.global.u32 [%rd3], %r6;", 5).longest_chain, 4u);
}

TEST(BlockWaits, AWarpLooksAtSeveralOthers) {
  // Lane i > 0 of block 40 looks at word i; blocks write their own words.
  const std::string all = kAddress + R"(setp.ne.u32 %p2, %r2, 0; setp.ne.u32 %p3, %r3, 40; @%p3 bra WRITE;
mul.wide.u32 %rd4, %r2, 4; add.u64 %rd5, %rd1, %rd4;
POLL: ld.volatile.global.u32 %r5, [%rd5]; setp.eq.u32 %p4, %r5, 0; @%p4 bra POLL;
WRITE: mov.u32 %r6, 1; @!%p2 st.volatile.global.u32 [%rd3], %r6;
)";
  const auto waits = waits_of(all, 41, 32);
  EXPECT_EQ(waits.blocks, 1u);
  EXPECT_EQ(waits.longest_chain, 1u);
  EXPECT_EQ(waits.widest_look, 32u);
}

TEST(BlockWaits, ALockIsAChainOfAllThatTakeIt) {
  const auto waits = waits_of(
      "mov.u32 %r6, 0; mov.u32 %r7, 1;\nLOCK: atom.global.cas.b32 %r5, [%rd1], %r6, %r7;"
      "setp.ne.u32 %p1, %r5, 0; @%p1 bra LOCK;\natom.global.exch.b32 %r8, [%rd1], %r6;",
      6);
  EXPECT_EQ(waits.blocks, 5u);
  EXPECT_EQ(waits.longest_chain, 5u);
}

TEST(BlockWaits, ABlockThatTakesSeveralTurnsWaitsForItself) {
  const auto waits = waits_of(R"(mov.u32 %r10, 0;
TURN: atom.global.add.u32 %r3, [%rd1+4096], 1; setp.ge.u32 %p5, %r3, 7; @%p5 bra END;
)" + kAddress + kPoll + "mov.u32 %r6, 1; st.volatile.global.u32 [%rd3], %r6; bra TURN;\nEND:\n",
                              2);
  EXPECT_EQ(waits.longest_chain, 6u);
}

TEST(BlockWaits, NoLoopOrOtherWorkIsNoWait) {
  // A ticket; a sum by cas; a flag that is looked at between pieces of work.
  EXPECT_EQ(
      waits_of("atom.global.add.u32 %r5, [%rd1], 1; setp.eq.u32 %p1, %r5, 3; @%p1 st.global.u32 [%rd1+8], %r5;", 4)
          .blocks,
      0u);
  EXPECT_EQ(waits_of("ld.global.u32 %r5, [%rd1];\nAGAIN: add.u32 %r6, %r5, 1; mov.u32 %r7, %r5;"
                     "atom.global.cas.b32 %r5, [%rd1], %r7, %r6; setp.ne.u32 %p1, %r5, %r7; @%p1 bra AGAIN;",
                     4)
                .blocks,
            0u);
  EXPECT_EQ(waits_of("mov.u32 %r6, 0;\nWORK: ld.volatile.global.u32 %r5, [%rd1]; setp.ne.u32 %p1, %r5, 0; @%p1 bra END;"
                     "mul.wide.u32 %rd2, %r6, 4; add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r7, [%rd3+64];"
                     "add.u32 %r6, %r6, 1; setp.lt.u32 %p2, %r6, 9; @%p2 bra WORK;\n"
                     "mov.u32 %r8, 1; st.volatile.global.u32 [%rd1], %r8;\nEND:\n",
                     4)
                .blocks,
            0u);
}

TEST(BlockWaits, AStoreThatIsNotFollowedIsSaid) {
  // Block 0 waits for what all lanes of block 1 store as data.
  const auto waits = waits_of(R"(setp.ne.u32 %p1, %r3, 0; @%p1 bra WRITE;
POLL: ld.volatile.global.u32 %r5, [%rd1]; setp.eq.u32 %p2, %r5, 0; @%p2 bra POLL;
bra DONE;
WRITE: mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2; mov.u32 %r6, 1; st.global.u32 [%rd3], %r6;
DONE:
)",
                              2, 32);
  EXPECT_TRUE(waits.is_unknown);
}

}  // namespace
}  // namespace cudasim
