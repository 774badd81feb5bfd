// SPDX-License-Identifier: MIT
// Faults and their places, budgets, refusals, and programs that are damaged.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "checkers/race/shadow/race_checker.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "machine_kernel.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

using namespace test;

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

TEST(Machine, NumbersOfFourBitsNeedATargetThatHasThem) {
  try {
    run_body(".reg .b8 %b<2>;\ncvt.rn.f16x2.e2m1x2 %r2, %b1;");
    FAIL() << "not refused";
  } catch (const Refusal& refusal) {
    EXPECT_NE(refusal.message.find("'cvt.rn.f16x2.e2m1x2': numbers of 4 and 6 bits"), std::string::npos)
        << refusal.message;
    EXPECT_NE(refusal.message.find("need the target sm_100a"), std::string::npos) << refusal.message;
  }
}

TEST(Machine, AVideoInstructionThatHasNoCertainMeaningIsRefused) {
  const char* const bodies[] = {"vadd.u32.u32.u32.min %r2, %r3, %r4, %r5;", "vadd.u32.u32.u32.sat %r2, %r3, %r4;",
                                "vadd.u32.u32.u32 %r2.h1, %r3.b0, %r4, %r5;",
                                "vadd2.u32.u32.u32 %r2, %r3.h4, %r4, %r5;"};
  for (const char* const body : bodies) EXPECT_THROW(run_body(body), Refusal) << body;
  EXPECT_NO_THROW(run_body("vadd.u32.u32.u32.sat %r2, %r3.b0, %r4.h1;"));
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
