// SPDX-License-Identifier: MIT
// The machine's rules, each on a kernel of a few lines of PTX: threads, calls, storage, counters. What single
// instructions compute is the business of tests/isa/ptx.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "machine_kernel.h"
#include "state/grid.h"

namespace cudasim {
namespace {

using namespace test;

TEST(Machine, EveryThreadRunsOnce) {
  const auto result = run_body(std::string(own_cell) + "atom.global.add.u32 %r2, [%rd2], 1;", block_of(100));
  EXPECT_EQ(result.outcome.cuda_error, 0);
  for (auto word : result.out) EXPECT_EQ(word, 1u);
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

}  // namespace
}  // namespace cudasim
