// SPDX-License-Identifier: MIT
// Undefined values, each rule on a kernel of a few lines of PTX. The rules say where they come from, how they pass
// through instructions, what is reported and what is not. Planted bugs in CUDA C++ are in tests/checkers.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "checkers/init/initialised.h"
#include "checkers/registry/checks.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/defined_bytes.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

struct Case {
  std::uint32_t threads = 32;
  std::uint32_t blocks = 1;
  std::string functions;  // PTX before the kernel
  unsigned workers = 1;
  Schedule::Order order = Schedule::Order::plain;
};

struct Run {
  std::vector<Finding> findings;
  std::vector<Finding> copied;  // of a copy of `out` to the host
};

/// The kernel has %r1 = %tid.x and %rd1 = in + 4 * tid, of which nothing is written. It has %rd2 = zeros + 4 * tid, and
/// %rd3 = out + 4 * tid, unwritten. And there are 128 words of shared memory `s`, %r2 = s + 4 * tid.
Run run_body(const std::string& body, const Case& setup = {}) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
)" + setup.functions + R"(
.visible .entry k(.param .u64 in, .param .u64 zeros, .param .u64 out) {
.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<9>;
.shared .align 16 .b8 s[512];
.local .align 16 .b8 l[64];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd4, %r1, 4;
ld.param.u64 %rd1, [in]; add.s64 %rd1, %rd1, %rd4;
ld.param.u64 %rd2, [zeros]; add.s64 %rd2, %rd2, %rd4;
ld.param.u64 %rd3, [out]; add.s64 %rd3, %rd3, %rd4;
mov.u32 %r2, s; mad.lo.s32 %r2, %r1, 4, %r2;
)" + body + "\nret;\n}\n";
  Memory memory(64 << 20);
  memory.watch_writes();
  Module module(ptx::parse(text), memory);
  const std::uint64_t bytes = std::uint64_t{setup.threads} * setup.blocks * 4 + 512;
  const auto* in = memory.allocate(bytes, Origin::cuda_malloc);
  const auto* zeros = memory.allocate(bytes, Origin::cuda_malloc);
  const auto* out = memory.allocate(bytes, Origin::cuda_malloc);
  std::memset(in->host, 0, bytes);  // whatever the values: they count as never written
  std::memset(zeros->host, 0, bytes);
  written::set(zeros->written.get(), 0, bytes);
  Launch launch;
  launch.grid.x = setup.blocks;
  launch.block.x = setup.threads;
  launch.parameters.resize(24);
  std::memcpy(launch.parameters.data(), &in->address, 8);
  std::memcpy(launch.parameters.data() + 8, &zeros->address, 8);
  std::memcpy(launch.parameters.data() + 16, &out->address, 8);
  Schedule schedule;
  schedule.workers = setup.workers;
  schedule.order = setup.order;
  Checks checks;
  checks.init = std::make_unique<InitChecker>();
  Run result;
  const Outcome outcome = run(module.program("k"), launch, memory, schedule, &checks);
  EXPECT_EQ(outcome.cuda_error, 0);
  result.findings = outcome.findings;
  InitChecker::Result copied;
  checks.init->look_at_row(copied, *out, 0, std::uint64_t{setup.threads} * 4);
  result.copied = checks.init->findings_of(copied, *out, {"cudaMemcpy"}, "");
  return result;
}

/// "address", "branch branch", "" ...: the uses that are found while the kernel runs.
std::string uses(const std::string& body, const Case& setup = {}) {
  std::string text;
  for (const Finding& f : run_body(body, setup).findings) {
    EXPECT_EQ(f.severity, Severity::defect);
    text += (text.empty() ? "" : " ") + (f.kind == FindingKind::shuffle_source ? "shuffled-" : std::string()) + f.use;
  }
  return text;
}

/// Whether a branch on %r9, which the body computes, is a use of an undefined value.
bool is_undefined(const std::string& body, const Case& setup = {}) {
  const std::string found = uses(body + "setp.ne.u32 %p8, %r9, 0; @%p8 bra L; L:\n", setup);
  EXPECT_TRUE(found.empty() || found == "branch") << found;
  return !found.empty();
}

const char* const unwritten = "ld.global.u32 %r8, [%rd1];\n";  // %r8 is undefined

// ---- what is found -------------------------------------------------------------------------------------------------

TEST(Undefined, GlobalSharedAndLocalMemoryBeginUnwritten) {
  EXPECT_TRUE(is_undefined("ld.global.u32 %r9, [%rd1];\n"));
  EXPECT_TRUE(is_undefined("ld.u32 %r9, [%rd1];\n"));
  EXPECT_TRUE(is_undefined("ld.shared.u32 %r9, [%r2];\n"));
  EXPECT_TRUE(is_undefined("ld.local.u32 %r9, [l];\n"));
  EXPECT_FALSE(is_undefined("ld.global.u32 %r9, [%rd2];\n"));
  EXPECT_FALSE(is_undefined("st.shared.u32 [%r2], %r1; ld.shared.u32 %r9, [%r2];\n"));
  EXPECT_FALSE(is_undefined("st.local.u32 [l+4], %r1; ld.local.u32 %r9, [l+4];\n"));
  EXPECT_TRUE(is_undefined("st.local.u32 [l+4], %r1; ld.local.u32 %r9, [l+8];\n"));
}

TEST(Undefined, SharedMemoryIsFollowedWhereAnAccessIsMadeAgain) {
  // In a loop all lanes lie as they did the last time; %r20 counts.
  const auto thrice = [](const std::string& body) {
    return "st.shared.u32 [%r2], %r1; mov.u32 %r5, %r2; mov.u32 %r9, 0; mov.u32 %r20, 0; LOOP: " + body +
           "add.u32 %r20, %r20, 1; setp.lt.u32 %p1, %r20, 3; @%p1 bra LOOP;\n";
  };
  EXPECT_FALSE(is_undefined(thrice("st.shared.u32 [%r2], %r9;") + "ld.shared.u32 %r9, [%r2];\n"));
  EXPECT_TRUE(
      is_undefined(thrice("st.shared.u32 [%r2], %r9; ld.global.u32 %r9, [%rd1];") + "ld.shared.u32 %r9, [%r2];\n"));
  EXPECT_FALSE(is_undefined(thrice("ld.global.u32 %r9, [%rd1]; ld.shared.u32 %r9, [%r5];")));
  EXPECT_TRUE(is_undefined(thrice("ld.shared.u32 %r9, [%r5]; add.u32 %r5, %r5, 4;")));
  EXPECT_TRUE(is_undefined(thrice("st.shared.u32 [%r5], %r1; add.u32 %r5, %r5, 4;") + "ld.shared.u32 %r9, [%r5];\n"));
  EXPECT_FALSE(
      is_undefined(thrice("st.shared.u32 [%r5], %r1; add.u32 %r5, %r5, 4;") + "ld.shared.u32 %r9, [%r5-4];\n"));
}

TEST(Undefined, AStoreMadeAgainMayLeaveAHole) {
  // Lane 1 stores where lane 0 does, so the lanes have both ends of 128 bytes, and not all between. %r20 counts.
  const std::string store =
      "setp.eq.u32 %p1, %r1, 1; @%p1 sub.u32 %r2, %r2, 4; mov.u32 %r5, %r2; mov.u32 %r6, s; mov.u32 %r20, 0;\n"
      "LOOP: st.shared.u32 [%r5], %r1; add.u32 %r5, %r5, 128;\n"
      "add.u32 %r20, %r20, 1; setp.lt.u32 %p2, %r20, 3; @%p2 bra LOOP;\n";
  EXPECT_TRUE(is_undefined(store + "ld.shared.u32 %r9, [%r6+260];\n"));
  EXPECT_FALSE(is_undefined(store + "ld.shared.u32 %r9, [%r6+264];\n"));
}

TEST(Undefined, AShortenedCopyKeepsWhereItsBytesComeFrom) {
  const auto found = run_body(
      "cp.async.ca.shared.global [%r2], [%rd1], 4, 2; cp.async.wait_all; ld.shared.u32 %r9, [%r2];\n"
      "setp.ne.u32 %p1, %r9, 0; @%p1 bra L; L:\n");
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].message.find("a condition depends on a value of global memory"), 0u)
      << found.findings[0].message;
}

TEST(Undefined, AnMbarrierMustBeInitialised) {
  EXPECT_EQ(uses("mov.u32 %r5, s; mbarrier.test_wait.parity.shared.b64 %p1, [%r5], 0; @%p1 bra L; L:\n"), "branch");
  EXPECT_EQ(uses("mov.u32 %r5, s; mbarrier.init.shared.b64 [%r5], 1;\n"
                 "mbarrier.test_wait.parity.shared.b64 %p1, [%r5], 0; @%p1 bra L; L:\n"),
            "");
}

TEST(Undefined, NeighboursOfAWholeWarpAreFollowed) {
  EXPECT_FALSE(is_undefined("st.global.u32 [%rd1], %r1; ld.global.u32 %r9, [%rd1];\n"));
  EXPECT_TRUE(is_undefined("st.global.u32 [%rd1], %r1; ld.global.u32 %r9, [%rd1+128];\n"));
  EXPECT_TRUE(is_undefined("st.global.u32 [%rd1], %r1; ld.global.u32 %r9, [%rd1+4];\n"));
  EXPECT_TRUE(is_undefined(unwritten + std::string("st.global.u32 [%rd2], %r8; ld.global.u32 %r9, [%rd2];\n")));
  EXPECT_TRUE(is_undefined(unwritten + std::string("st.global.u32 [%rd2], %r8; bar.sync 0; mov.u32 %r8, 0; "
                                                   "ld.global.u32 %r9, [%rd2];\n")));
}

TEST(Undefined, EveryBlockBeginsAnew) {
  Case setup;
  setup.blocks = 4;
  const auto found =
      run_body("ld.shared.u32 %r9, [%r2]; st.shared.u32 [%r2], %r1; setp.ne.u32 %p1, %r9, 0; @%p1 bra L; L:\n", setup);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].occurrences, 4u);
}

TEST(Undefined, BecomesAnAddressABranchOrAResult) {
  const std::string load = unwritten;
  EXPECT_EQ(uses(load + "and.b32 %r9, %r8, 60; mov.u32 %r10, s; add.u32 %r10, %r10, %r9; st.shared.u32 [%r10], %r1;"),
            "address");
  EXPECT_EQ(uses(load + "setp.eq.u32 %p1, %r8, 0; @%p1 bra L; L:"), "branch");
  EXPECT_EQ(uses(load + "setp.eq.u32 %p1, %r8, 0; @%p1 st.global.u32 [%rd3], %r1;"), "branch");
  EXPECT_EQ(uses(load + "setp.eq.u32 %p1, %r8, 0; barrier.red.or.pred %p2, 0, %p1;"), "branch");
  const auto stored = run_body(load + "add.u32 %r9, %r8, 1; st.global.u32 [%rd3], %r9;");
  EXPECT_TRUE(stored.findings.empty()) << "copying is no use";
  ASSERT_EQ(stored.copied.size(), 1u);
  EXPECT_EQ(stored.copied[0].use, "result");
  EXPECT_EQ(stored.copied[0].occurrences, 32u);
  EXPECT_TRUE(stored.copied[0].is_store);
}

TEST(Undefined, IsReportedOnceARegister) {
  const auto found = run_body(std::string(unwritten) + R"(
setp.eq.u32 %p1, %r8, 0;
@%p1 bra L1; L1:
@%p1 bra L2; L2:
)");
  EXPECT_EQ(found.findings.size(), 1u);
}

TEST(Undefined, OnlyTheLanesThatUseIt) {
  // Lanes 0 to 15 wrote their cells.
  const std::string half = R"(
setp.lt.u32 %p1, %r1, 16;
@%p1 st.shared.u32 [%r2], %r1;
ld.shared.u32 %r9, [%r2];
setp.ne.u32 %p2, %r9, 0;
)";
  const auto found = run_body(half + "@%p2 bra L; L:");
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].lanes, 0xffff0000u);
  EXPECT_EQ(found.findings[0].thread[0], 16u);
  EXPECT_EQ(uses(half + "@!%p1 bra End; @%p2 bra L; L: End:"), "") << "lanes 16 to 31 do not come to the branch";
}

TEST(Undefined, TheFirstBlockIsNamedThoughALaterOneRanBefore) {
  Case setup;
  setup.blocks = 5;
  setup.order = Schedule::Order::adversarial;
  const auto found = run_body("ld.shared.u32 %r9, [%r2]; setp.ne.u32 %p1, %r9, 0; @%p1 bra L; L:\n", setup);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].block[0], 0u);
  EXPECT_EQ(found.findings[0].occurrences, 5u);
}

TEST(Undefined, ManyWorkersFindTheSame) {
  Case setup;
  setup.blocks = 300;
  setup.workers = 4;
  const std::string body = "ld.shared.u32 %r9, [%r2]; setp.ne.u32 %p1, %r9, 0; @%p1 bra L; L:\n";
  const auto found = run_body(body, setup);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].occurrences, 300u);
  EXPECT_EQ(found.findings[0].block[0], 0u) << "the first block, whichever worker came first";
}

// ---- instructions between registers --------------------------------------------------------------------------------

TEST(Undefined, SpreadsThroughArithmetic) {
  const std::string load = unwritten;
  EXPECT_TRUE(is_undefined(load + "mov.u32 %r9, %r8;\n"));
  EXPECT_TRUE(is_undefined(load + "mad.lo.u32 %r9, %r1, %r1, %r8;\n"));
  EXPECT_TRUE(is_undefined(load + "cvt.rn.f32.u32 %f1, %r8; cvt.rzi.u32.f32 %r9, %f1;\n"));
  EXPECT_TRUE(is_undefined(load + "cvt.u64.u32 %rd9, %r8; cvt.u32.u64 %r9, %rd9;\n"));
  EXPECT_TRUE(is_undefined(load + "add.cc.u32 %r10, %r8, 1; addc.u32 %r9, %r1, 0;\n")) << "the carry";
  EXPECT_TRUE(is_undefined(load + "setp.eq.u32 %p1, %r8, 0; @%p1 mov.u32 %r9, 1;\n")) << "a guarded move";
  EXPECT_FALSE(is_undefined(load + "mov.u32 %r8, 7; mov.u32 %r9, %r8;\n")) << "written over";
  EXPECT_FALSE(is_undefined(load + "xor.b32 %r9, %r8, %r8;\n"));
  EXPECT_FALSE(is_undefined(load + "sub.u32 %r9, %r8, %r8;\n"));
  EXPECT_FALSE(is_undefined(load + "activemask.b32 %r8; mov.u32 %r9, %r8;\n"));
}

TEST(Undefined, AChoiceTakesTheArmThatItTakes) {
  const std::string load = std::string(unwritten) + "setp.lt.u32 %p1, %r1, 100; setp.eq.u32 %p2, %r8, 0;\n";
  EXPECT_FALSE(is_undefined(load + "selp.u32 %r9, %r1, %r8, %p1;\n"));
  EXPECT_TRUE(is_undefined(load + "selp.u32 %r9, %r8, %r1, %p1;\n"));
  EXPECT_TRUE(is_undefined(load + "selp.u32 %r9, %r1, %r2, %p2;\n")) << "the choice itself";
  EXPECT_FALSE(is_undefined(load + "slct.u32.s32 %r9, %r1, %r8, %r1;\n"));
  EXPECT_TRUE(is_undefined(load + "neg.s32 %r10, 5; slct.u32.s32 %r9, %r1, %r8, %r10;\n"));
}

TEST(Undefined, LogicIsDefinedWhereTheOtherOperandSettlesIt) {
  const std::string load = std::string(unwritten) + "setp.eq.u32 %p2, %r8, 0;\n";
  EXPECT_FALSE(is_undefined(load + "and.b32 %r9, %r8, 0;\n"));
  EXPECT_TRUE(is_undefined(load + "and.b32 %r9, %r8, 1;\n"));
  EXPECT_FALSE(is_undefined(load + "or.b32 %r9, %r8, -1;\n"));
  EXPECT_TRUE(is_undefined(load + "or.b32 %r9, %r8, -2;\n"));
  EXPECT_FALSE(is_undefined(load + "lop3.b32 %r9, %r8, 0, %r1, 0xea;\n")) << "(a & b) | c with b = 0";
  EXPECT_TRUE(is_undefined(load + "lop3.b32 %r9, %r8, 1, %r1, 0xea;\n"));
  const std::string low = "setp.lt.u32 %p3, %r1, 100;\n";  // true
  EXPECT_EQ(uses(load + low + "or.pred %p4, %p3, %p2; @%p4 bra L; L:"), "");
  EXPECT_EQ(uses(load + low + "and.pred %p4, %p3, %p2; @%p4 bra L; L:"), "branch");
  EXPECT_EQ(uses(load + low + "not.pred %p3, %p3; and.pred %p4, %p3, %p2; @%p4 bra L; L:"), "");
  EXPECT_EQ(uses(load + low + "setp.eq.or.u32 %p4, %r8, 1, %p3; @%p4 bra L; L:"), "");
  EXPECT_EQ(uses(load + low + "setp.eq.and.u32 %p4, %r8, 1, %p3; @%p4 bra L; L:"), "branch");
  EXPECT_EQ(uses(load + low + "setp.gt.and.u32 %p4, %r1, 100, %p2; @%p4 bra L; L:"), "") << "false whatever %p2 is";
  EXPECT_EQ(uses(load + low + "setp.lt.and.u32 %p4, %r1, 100, %p2; @%p4 bra L; L:"), "branch");
}

TEST(Undefined, PartsThatArePutTogether) {
  const std::string load = unwritten;
  EXPECT_FALSE(is_undefined(load + "mov.b64 %rd9, {%r1, %r8}; mov.b64 {%r9, %r10}, %rd9;\n")) << "padding";
  EXPECT_TRUE(is_undefined(load + "mov.b64 %rd9, {%r8, %r8}; mov.b64 {%r9, %r10}, %rd9;\n"));
  EXPECT_FALSE(is_undefined(load + "prmt.b32 %r9, %r1, %r8, 0x3210;\n"));
  EXPECT_TRUE(is_undefined(load + "prmt.b32 %r9, %r1, %r8, 0x7654;\n"));
}

// ---- memory --------------------------------------------------------------------------------------------------------

TEST(Undefined, ElementsOfVectorsAreToldApart) {
  const std::string three = R"(
mad.lo.s32 %r3, %r1, 12, %r2;
st.shared.v2.u32 [%r3], {%r1, %r1};
st.shared.u32 [%r3+8], %r1;
ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];
)";
  for (const char* element : {"%r4", "%r5", "%r6"})
    EXPECT_FALSE(is_undefined(three + "mov.u32 %r9, " + element + ";\n"));
  EXPECT_TRUE(is_undefined(three + "mov.u32 %r9, %r7;\n"));
}

TEST(Undefined, AnElementIsDefinedWhenPartOfItIs) {
  EXPECT_FALSE(is_undefined("cvt.u16.u32 %h1, %r1; st.shared.u8 [%r2], %h1; ld.shared.u32 %r9, [%r2];\n"));
  EXPECT_TRUE(is_undefined("cvt.u16.u32 %h1, %r1; st.shared.u8 [%r2], %h1; ld.shared.u8 %r9, [%r2+1];\n"));
}

TEST(Undefined, ScatteredAndEqualAddresses) {
  const std::string odd = "shl.b32 %r3, %r1, 3; mov.u32 %r4, s; add.u32 %r3, %r3, %r4;\n";  // s + 8 * tid
  EXPECT_FALSE(is_undefined(odd + "st.shared.u32 [%r3], %r1; ld.shared.u32 %r9, [%r3];\n"));
  EXPECT_TRUE(is_undefined(odd + "st.shared.u32 [%r3], %r1; ld.shared.u32 %r9, [%r3+4];\n"));
  EXPECT_FALSE(is_undefined("st.shared.u32 [s+32], %r1; ld.shared.u32 %r9, [s+32];\n"));
  EXPECT_TRUE(is_undefined("st.shared.u32 [s+32], %r1; ld.shared.u32 %r9, [s+28];\n"));
}

TEST(Undefined, AStoreOfEveryOtherLaneLeavesHoles) {
  const auto found = run_body(R"(
and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 1;
@%p1 st.shared.u32 [%r2], %r1;
ld.shared.u32 %r9, [%r2]; setp.ne.u32 %p2, %r9, 0;
@%p2 bra L; L:
)");
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].lanes, 0x55555555u);
}

TEST(Undefined, CopiesCarryIt) {
  const std::string load = unwritten;
  EXPECT_TRUE(is_undefined(load + "st.shared.u32 [%r2], %r8; ld.shared.u32 %r9, [%r2];\n"));
  EXPECT_TRUE(is_undefined(load + "st.global.u32 [%rd2], %r8; ld.global.u32 %r9, [%rd2];\n"));
  EXPECT_TRUE(is_undefined(load + "st.local.u32 [l], %r8; ld.local.u32 %r9, [l];\n"));
  EXPECT_FALSE(is_undefined(load + "st.shared.u32 [%r2], %r8; st.shared.u32 [%r2], %r1; ld.shared.u32 %r9, [%r2];\n"));
}

TEST(Undefined, ThroughCallsAndBack) {
  Case setup;
  setup.functions = R"(.func (.param .b32 result) twice(.param .b32 x, .param .b32 y) {
.reg .b32 %r<9>;
ld.param.u32 %r1, [x]; ld.param.u32 %r2, [y];
add.u32 %r1, %r1, %r1;
st.param.b32 [result], %r1;
ret;
})";
  auto call = [](const char* x, const char* y) {
    return std::string("{ .param .b32 a; .param .b32 b; .param .b32 v; st.param.b32 [a], ") + x +
           "; st.param.b32 [b], " + y + "; call.uni (v), twice, (a, b); ld.param.b32 %r9, [v]; }\n";
  };
  const std::string load = unwritten;
  EXPECT_FALSE(is_undefined(call("%r1", "%r1"), setup));
  EXPECT_TRUE(is_undefined(load + call("%r8", "%r1"), setup));
  EXPECT_FALSE(is_undefined(load + call("%r1", "%r8"), setup));
  EXPECT_FALSE(is_undefined(load + call("%r8", "%r1") + call("%r1", "%r1"), setup)) << "registers of the first call";
}

TEST(Undefined, RegistersOfACallBeginDefined) {
  Case setup;
  setup.functions = R"(.func (.param .b32 result) keep(.param .b32 x, .param .b32 y) {
.reg .b32 %r<9>; .reg .pred %p;
ld.param.u32 %r1, [x]; ld.param.u32 %r2, [y];
setp.ne.u32 %p, %r2, 0;
@!%p bra Skip;
mov.u32 %r3, %r1;
Skip: st.param.b32 [result], %r3;
ret;
})";
  auto call = [](const char* x, const char* y) {
    return std::string("{ .param .b32 a; .param .b32 b; .param .b32 v; st.param.b32 [a], ") + x +
           "; st.param.b32 [b], " + y + "; call.uni (v), keep, (a, b); ld.param.b32 %r9, [v]; }\n";
  };
  const std::string load = std::string(unwritten) + "mov.u32 %r10, 0; mov.u32 %r11, 1;\n";
  EXPECT_TRUE(is_undefined(load + call("%r8", "%r11"), setup));
  EXPECT_FALSE(is_undefined(load + call("%r8", "%r11") + call("%r8", "%r10"), setup)) << "what the first call left";
}

TEST(Undefined, Atomics) {
  EXPECT_FALSE(is_undefined("atom.global.add.u32 %r9, [%rd2], 1;\n"));
  EXPECT_TRUE(is_undefined("atom.global.add.u32 %r9, [%rd1], 1;\n"));
  EXPECT_TRUE(is_undefined("atom.global.cas.b32 %r9, [%rd1], 0, 1;\n"));
  EXPECT_TRUE(is_undefined("atom.global.exch.b32 %r9, [%rd1], 1;\n"));
  EXPECT_FALSE(is_undefined("atom.global.exch.b32 %r8, [%rd1], 1; ld.global.u32 %r9, [%rd1];\n")) << "it wrote";
  EXPECT_TRUE(is_undefined("red.global.add.u32 [%rd1], 1; ld.global.u32 %r9, [%rd1];\n"));
  EXPECT_TRUE(is_undefined(std::string(unwritten) + "red.global.add.u32 [%rd2], %r8; ld.global.u32 %r9, [%rd2];\n"));
  EXPECT_EQ(run_body("red.global.add.u32 [%rd3], 1;").copied.size(), 1u) << "counted from what was there";
}

// ---- between lanes -------------------------------------------------------------------------------------------------

TEST(Undefined, ShufflesFromOutsideOfTheMask) {
  const std::string half = "setp.ge.u32 %p1, %r1, 16; @%p1 bra End; shfl.sync.down.b32 %r9, %r1, 8, 31, 0xffff;\n";
  EXPECT_EQ(uses(half + "End:"), "") << "nobody uses it";
  EXPECT_EQ(uses(half + "setp.ne.u32 %p2, %r9, 0; @%p2 bra L; L: End:"), "shuffled-branch");
  EXPECT_EQ(uses(half + "setp.ge.u32 %p2, %r1, 8; @%p2 bra End; setp.ne.u32 %p3, %r9, 0; @%p3 bra L; L: End:"), "")
      << "lanes 0 to 7 read from lanes that take part";
}

TEST(Undefined, ShufflesHandOnWhatTheOtherLaneHas) {
  // Lane 0 alone is undefined.
  const std::string lane0 = "mov.u32 %r8, %r1; setp.eq.u32 %p1, %r1, 0; @%p1 ld.global.u32 %r8, [%rd1];\n";
  EXPECT_TRUE(is_undefined(lane0 + "shfl.sync.idx.b32 %r9, %r8, 0, 31, -1;\n"));
  EXPECT_FALSE(is_undefined(lane0 + "shfl.sync.idx.b32 %r9, %r8, 1, 31, -1;\n"));
  EXPECT_TRUE(is_undefined(lane0 + "redux.sync.add.u32 %r9, %r8, -1;\n"));
  const std::string vote = lane0 + "setp.eq.u32 %p2, %r8, ";  // of lane 0 open
  EXPECT_TRUE(is_undefined(vote + "40; vote.sync.any.pred %p3, %p2, -1; selp.u32 %r9, 1, 0, %p3;\n"));
  EXPECT_FALSE(is_undefined(vote + "7; vote.sync.any.pred %p3, %p2, -1; selp.u32 %r9, 1, 0, %p3;\n"))
      << "lane 7 is true";
  EXPECT_FALSE(is_undefined(vote + "7; vote.sync.all.pred %p3, %p2, -1; selp.u32 %r9, 1, 0, %p3;\n"));
}

}  // namespace
}  // namespace cudasim
