// SPDX-License-Identifier: MIT
// The machine's rules, each on a kernel of a few lines of PTX: divergence, barriers, faults and their places, budgets,
// schedules. What single instructions compute is the business of tests/ptx.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "machine/device.h"
#include "machine/memory.h"
#include "module/module.h"
#include "module/program.h"
#include "observers/checks.h"
#include "ptx/parser.h"

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
};

/// Runs `body` as a kernel with the parameter `out`, which is in %rd1, and %r1 = %tid.x.
Result run_body(const std::string& body, Conditions setup = {}, Checks* checks = nullptr) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.file 1 "student.cu"
)" + setup.functions + R"(
.visible .entry k(.param .u64 out) {
.reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<9>;
.loc 1 10 1
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
)" + body + "\nret;\n}\n";
  Memory memory(memory_bytes);
  Module module(text, memory);
  const auto* out = memory.allocate(setup.words * 4, Origin::cuda_malloc);
  std::memset(out->host, 0, setup.words * 4);
  Launch launch;
  launch.grid = setup.grid;
  launch.block = setup.block;
  launch.dynamic_shared_bytes = setup.dynamic_shared;
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

TEST(Machine, LanesOfABranchMeetAgain) {
  // After the branch all lanes are one fragment again: activemask names them all.
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
OTHER: bar.sync 1;
DONE: mov.u32 %r2, 0;)",
                               block_of(64));
  EXPECT_EQ(only_finding(result).kind, FindingKind::deadlock);
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
  EXPECT_NE(finding.allocation.find("directly past the end of the 124 bytes"), std::string::npos) << finding.allocation;
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
  const auto finding = only_finding(run_body(".loc 1 55 1\nLOOP: add.u32 %r2, %r2, 1;\nbra LOOP;", setup));
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

TEST(Machine, TheBudgetCountsWhatTakesLong) {
  Conditions setup;
  setup.schedule.step_budget = 100000;
  // How often the loop's warp came round before it was stopped.
  const auto rounds = [&](const std::string& body, std::unique_ptr<RaceChecker> race) {
    Checks checks;
    checks.race = std::move(race);
    const auto result = run_body("LOOP: " + body + "\nbra LOOP;", setup, &checks);
    EXPECT_EQ(only_finding(result).kind, FindingKind::step_budget);
    return result.outcome.counters.warp_instructions / 2;
  };
  const std::string load = "ld.global.u32 %r2, [%rd1];";
  EXPECT_NEAR(static_cast<double>(rounds(load, nullptr)), 50000, 10);
  EXPECT_NEAR(static_cast<double>(rounds(load, std::make_unique<RaceChecker>())), 100000 / 64, 10);
  const std::string add = "atom.global.add.u32 %r2, [%rd1], 1;";
  EXPECT_NEAR(static_cast<double>(rounds(add, nullptr)), 100000 / 64, 10);
  // One lane takes no longer than other instructions.
  EXPECT_NEAR(static_cast<double>(rounds("setp.eq.u32 %p1, %r1, 0;\n@%p1 " + add, nullptr)), 50000, 10);
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
      Module module(text, memory);
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
