// SPDX-License-Identifier: MIT
// The sample of a launch, on kernels of a few lines of PTX whose life and traffic are known.
#include "timing/sample.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>

#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "ptx/parser.h"
#include "timing/launch_timing.h"

namespace cudasim {
namespace {

constexpr std::uint64_t kArrayBytes = 8 << 20;

struct Setting {
  std::uint32_t blocks = 1, threads = 32;
  unsigned workers = 1;
  bool chases = false;  ///< the array holds its own addresses, 4 KiB apart
  Schedule::Order order = Schedule::Order::plain;
};

/// A kernel with the parameter `in`, 8 MiB of memory: %rd1 is its address, %rd2 that plus 4 bytes a thread of the grid.
Sample sample_of(const std::string& body, Setting setting = {}) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry k(.param .u64 in) {
.reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<40>;
.shared .align 4 .b8 tile[4096];
ld.param.u64 %rd1, [in];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ctaid.x;
mov.u32 %r3, %ntid.x;
mad.lo.s32 %r4, %r2, %r3, %r1;
mul.wide.u32 %rd3, %r4, 4;
add.s64 %rd2, %rd1, %rd3;
)" + body + "\nret;\n}\n";
  Memory memory(64 << 20, std::byte{0});
  Module module(ptx::parse(text), memory);
  const Allocation* in = memory.allocate(kArrayBytes, Origin::cuda_malloc);
  std::memset(in->host, 0, kArrayBytes);
  for (std::uint64_t at = 0; setting.chases && at < kArrayBytes; at += 4096) {
    const std::uint64_t next = in->address + at + 4096;
    std::memcpy(in->host + at, &next, sizeof next);
  }
  Launch launch;
  launch.grid = {setting.blocks, 1, 1};
  launch.block = {setting.threads, 1, 1};
  launch.parameters.resize(8);
  std::memcpy(launch.parameters.data(), &in->address, 8);
  launch.timing = std::make_shared<LaunchTiming>();
  launch.timing->blocks_a_multiprocessor = 8;
  Schedule schedule;
  schedule.workers = setting.workers;
  schedule.order = setting.order;
  const Outcome outcome = run(module.program("k"), launch, memory, schedule, nullptr);
  EXPECT_TRUE(outcome.findings.empty());
  EXPECT_EQ(launch.timing->sample.why_not.empty(), setting.order == Schedule::Order::plain);
  return launch.timing->sample;
}

std::string repeated(unsigned times, const std::string& line) {
  std::string all;
  for (unsigned i = 0; i < times; ++i) all += line + "\n";
  return all;
}

TEST(Sample, DependentArithmeticTakesItsLatencyEach) {
  const double few = sample_of(repeated(100, "fma.rn.f32 %f1, %f1, %f1, %f1;")).life.cycles;
  const double many = sample_of(repeated(300, "fma.rn.f32 %f1, %f1, %f1, %f1;")).life.cycles;
  EXPECT_DOUBLE_EQ(many - few, 200 * 4);
}

TEST(Sample, IndependentArithmeticTakesATurnEach) {
  std::string both;
  for (unsigned i = 0; i < 8; ++i) {
    const std::string f = "%f" + std::to_string(i);
    both += "fma.rn.f32 " + f + ", " + f + ", " + f + ", " + f + ";\n";
  }
  const Sample few = sample_of(repeated(10, both)), many = sample_of(repeated(30, both));
  EXPECT_DOUBLE_EQ(many.life.cycles - few.life.cycles, 20 * 8);
  EXPECT_DOUBLE_EQ(many.life.issue_cycles - few.life.issue_cycles, 20 * 8 / 4.0);
}

TEST(Sample, EightWarpsOfASchedulerHideALatencyOfFour) {
  const std::string body = repeated(200, "fma.rn.f32 %f1, %f1, %f1, %f1;");
  const double one = sample_of(body, {1, 128}).life.cycles;     // a warp a scheduler
  const double eight = sample_of(body, {1, 1024}).life.cycles;  // eight
  EXPECT_NEAR(eight, 2 * one, 0.05 * one);
}

TEST(Sample, APointerChaseTakesTheLatencyOfMemoryEach) {
  const auto chase = [](unsigned steps) {
    return sample_of("mov.u64 %rd4, %rd1;\n" + repeated(steps, "ld.global.u64 %rd4, [%rd4];"), {1, 32, 1, true});
  };
  const Sample few = chase(100), many = chase(300);
  EXPECT_DOUBLE_EQ(many.life.cycles - few.life.cycles, 200 * 690);
  EXPECT_DOUBLE_EQ(many.life.steps.dram - few.life.steps.dram, 200);
  EXPECT_EQ(many.dram_read, 600) << "DRAM gives two sectors at a time";
}

TEST(Sample, LoadsBesideEachOtherOverlap) {
  std::string loads;
  for (unsigned i = 0; i < 8; ++i)
    loads += "ld.global.f32 %f" + std::to_string(i) + ", [%rd1+" + std::to_string(4096 * i) + "];\n";
  const Sample together = sample_of(loads + "add.f32 %f9, %f0, %f7;\n");
  EXPECT_DOUBLE_EQ(together.life.steps.dram, 1);
  EXPECT_LT(together.life.cycles, 690 + 60);
}

TEST(Sample, ARepeatedLoadHitsTheL1) {
  // Each address needs what the load before has read, which is 0.
  const Sample sample =
      sample_of("mov.u64 %rd4, %rd1;\n" + repeated(10, "ld.global.u64 %rd5, [%rd4];\nadd.s64 %rd4, %rd1, %rd5;"));
  EXPECT_EQ(sample.load_sectors, 10);
  EXPECT_DOUBLE_EQ(sample.l1_hits, 9);
  EXPECT_DOUBLE_EQ(sample.life.steps.dram, 1);
  EXPECT_DOUBLE_EQ(sample.life.steps.l1, 9);
}

TEST(Sample, VolatileLoadsGoPastTheL1) {
  const Sample sample = sample_of(repeated(10, "ld.volatile.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f1, %f2;"));
  EXPECT_DOUBLE_EQ(sample.l1_hits, 0);
  EXPECT_DOUBLE_EQ(sample.dram_read, 2);
  EXPECT_DOUBLE_EQ(sample.life.steps.l1, 0);
}

TEST(Sample, ABarrierJoinsTheWarps) {
  // The first warp loads before the barrier, and all the others wait for it.
  const Sample sample = sample_of(R"(setp.ge.u32 %p1, %r1, 32;
@%p1 bra JOIN;
ld.global.f32 %f1, [%rd1];
st.shared.f32 [tile], %f1;
JOIN:
bar.sync 0;
ld.shared.f32 %f2, [tile];
add.f32 %f3, %f2, %f2;)",
                                  {1, 256});
  EXPECT_GT(sample.life.cycles, 690 + 20 + 29);
  EXPECT_LT(sample.life.cycles, 690 + 20 + 29 + 60);
  EXPECT_DOUBLE_EQ(sample.life.steps.dram, 1);
  EXPECT_DOUBLE_EQ(sample.life.steps.shared, 1);
}

TEST(Sample, ACopyReadsEachByteOnce) {
  const std::string body = "ld.global.f32 %f1, [%rd2];\nst.global.f32 [%rd2+4194304], %f1;";
  const Sample sample = sample_of(body, {4096, 256});
  EXPECT_EQ(sample.l1_hits, 0);
  EXPECT_EQ(sample.dram_read_bytes, 4096 * 256 * 4);
  EXPECT_EQ(sample.l2_read_sectors, 4096 * 256 / 8);
  EXPECT_EQ(sample.l2_write_sectors, 4096 * 256 / 8);
  EXPECT_EQ(sample.dram_write_bytes, 0) << "4 MiB stay in the L2";
  EXPECT_EQ(sample.blocks, 2u * 132 * 8);
}

// Lane i stores the words of its 16 bytes, one request each.
std::string words_of_a_thread(const std::string& between) {
  std::string all = "mul.wide.u32 %rd4, %r4, 16;\nadd.s64 %rd4, %rd1, %rd4;\n";
  for (unsigned i = 0; i < 4; ++i) all += "st.global.f32 [%rd4+" + std::to_string(4 * i) + "], 0f00000000;\n" + between;
  return all;
}

TEST(Sample, TheL1MergesStoresOfAWarp) {
  const Sample merged = sample_of(words_of_a_thread(""), {8, 256});
  EXPECT_EQ(merged.l2_write_sectors, 8 * 256 / 2);
  EXPECT_EQ(merged.l2_partial_sectors, 0);
  const Sample apart = sample_of(words_of_a_thread("ld.global.f32 %f1, [%rd1];\nadd.f32 %f2, %f2, %f1;\n"), {8, 256});
  EXPECT_EQ(apart.l2_write_sectors, 4 * 8 * 256 / 2);
  EXPECT_EQ(apart.l2_partial_sectors, 4 * 8 * 256 / 2);
}

// A loop of dependent additions of what it loads from another line each turn.
double cycles_of_loop(const std::string& step) {
  return sample_of(R"(mov.u32 %r9, 0;
mov.u32 %r10, 1;
LOOP:
ld.global.f32 %f1, [%rd2];
add.f32 %f2, %f2, %f1;
add.s64 %rd2, %rd2, 4096;
)" + step + "\nsetp.lt.u32 %p1, %r9, 64;\n@%p1 bra LOOP;")
      .life.cycles;
}

TEST(Sample, PtxasUnrollsALoopThatItCanCount) {
  const double one = cycles_of_loop("add.u32 %r9, %r9, %r3;\nsub.u32 %r9, %r9, 31;");
  EXPECT_GT(one, 64 * 690);
  EXPECT_LT(cycles_of_loop("add.u32 %r9, %r9, 1;"), one / 3.5);
  EXPECT_GT(cycles_of_loop("add.u32 %r9, %r9, %r10;"), 64 * 690) << "the step is in a register";
}

TEST(Sample, FewPredicatesGuardLoadsAndTheirUses) {
  const auto guarded = [](bool uses) {
    std::string all;
    for (unsigned i = 0; i < 9; ++i) {
      const std::string n = std::to_string(i);
      all += "setp.gt.u32 %p1, %r1, " + std::to_string(40 + i) + ";\n@%p1 bra NEXT" + n + ";\nld.global.f32 %f" + n +
             ", [%rd2+" + std::to_string(8192 * i) + "];\n";
      if (uses) all += "abs.f32 %f" + n + ", %f" + n + ";\n";
      all += "NEXT" + n + ":\n";
    }
    return sample_of(all).life;
  };
  EXPECT_DOUBLE_EQ(guarded(false).steps.dram, 1);
  EXPECT_DOUBLE_EQ(guarded(true).steps.dram, 3) << "three at a time";
}

TEST(Sample, PtxasScalesDenormalArgumentsOfASpecialFunction) {
  const auto cycles = [](const std::string& line) { return sample_of(repeated(100, line)).life.cycles; };
  const double flushed = cycles("rsqrt.approx.ftz.f32 %f1, %f1;");
  EXPECT_DOUBLE_EQ(cycles("rsqrt.approx.f32 %f1, %f1;") - flushed, 100 * (5 + 4 + 4));
}

TEST(Sample, AMatrixIsReadWhereItsElementsLie) {
  const Sample sample = sample_of(
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r9, %r10, %r11, %r12, %r13, %r14, %r15, %r16}, [%rd1], 16;",
      {4096, 32});
  EXPECT_EQ(sample.dram_read_bytes, 16 * 16 * 2);
  EXPECT_EQ(sample.load_sectors, 32 * static_cast<double>(sample.blocks)) << "4 registers of 8 rows each";
}

TEST(Sample, BlocksThatAreWatchedCountTheirOwnDistances) {
  // Lanes are 8 bytes apart in even blocks and 16 in odd ones. All watched blocks are even.
  const std::string body = R"(and.b32 %r9, %r2, 1;
add.u32 %r9, %r9, 1;
shl.b32 %r9, %r9, 3;
mul.lo.u32 %r9, %r9, %r1;
mad.lo.u32 %r9, %r2, 4096, %r9;
mul.wide.u32 %rd4, %r9, 1;
add.s64 %rd4, %rd1, %rd4;
st.global.f32 [%rd4], 0f00000000;)";
  EXPECT_EQ(sample_of(body, {64, 64}).l2_partial_sectors, 32 * 2 * (8 + 16));
}

TEST(Sample, DoesNotDependOnTheWorkers) {
  const std::string body = "ld.global.f32 %f1, [%rd2];\nadd.f32 %f1, %f1, %f1;\nst.global.f32 [%rd2], %f1;";
  const Sample one = sample_of(body, {4096, 256, 1}), three = sample_of(body, {4096, 256, 3});
  EXPECT_EQ(one.life.cycles, three.life.cycles);
  EXPECT_EQ(one.dram_read_bytes, three.dram_read_bytes);
  EXPECT_EQ(one.l2_hits, three.l2_hits);
}

TEST(Sample, TheFirstBlockEndsBeforeOtherWorkersBegin) {
  // It is long enough that they would be called before its end.
  const std::string body = R"(mov.u32 %r9, 0;
LOOP:
ld.global.f32 %f1, [%rd1];
add.f32 %f2, %f2, %f1;
add.u32 %r9, %r9, 1;
setp.lt.u32 %p1, %r9, 9000;
@%p1 bra LOOP;
st.global.f32 [%rd2], %f2;)";
  EXPECT_EQ(sample_of(body, {12, 64, 1}).life.cycles, sample_of(body, {12, 64, 3}).life.cycles);
}

TEST(Sample, NoneIsTakenInASeededOrder) {
  EXPECT_EQ(sample_of("st.global.f32 [%rd2], 0f00000000;", {4, 32, 1, false, Schedule::Order::random}).blocks, 0u);
}

}  // namespace
}  // namespace cudasim
