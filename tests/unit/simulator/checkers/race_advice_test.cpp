// SPDX-License-Identifier: MIT
// What findings of races say and advise.
#include <gtest/gtest.h>

#include <string>

#include "race_kernel.h"

namespace cudasim {
namespace {

using namespace test;

std::string advice_on(const std::string& body) {
  const Outcome outcome = run_kernel(body, 1);
  std::string text;
  for (const auto& finding : outcome.findings) text += finding.scope + ": " + finding.advice + "\n";
  return text;
}

bool advises_atomic_add(const std::string& body) { return advice_on(body).find("atomicAdd()") != std::string::npos; }

TEST(RaceWatch, OnlyAnIndexWithoutTheBlockIsSaidToLeaveItOut) {
  const std::string store = "mul.wide.u32 %rd3, %r5, 4;\nadd.s64 %rd3, %rd1, %rd3;\nst.global.u32 [%rd3], %r2;\n";
  EXPECT_NE(advice_on("mov.u32 %r5, %r1;\n" + store).find("leave out the block?"), std::string::npos);
  // What a block reads at its own element, and adds to the thread: the sums of two blocks are the same.
  const std::string advice = advice_on("ld.global.u32 %r4, [%rd2+40000];\nadd.u32 %r5, %r4, %r1;\n" + store);
  EXPECT_EQ(advice.find("leave out the block?"), std::string::npos) << advice;
  EXPECT_NE(advice.find("the index is computed from blockIdx"), std::string::npos) << advice;
}

TEST(RaceWatch, AnUpdateOnOneLineWantsAnAtomic) {
  const std::string load = ".loc 1 20 1\nld.global.u32 %r7, [%rd1];\nadd.u32 %r7, %r7, %r1;\n";
  const std::string store = "st.global.u32 [%rd1], %r7;";
  const std::string update = load + store;
  EXPECT_TRUE(advises_atomic_add(update)) << advice_on(update);
  // On two lines, or of another element than is read, it is no update that the text shows.
  EXPECT_FALSE(advises_atomic_add(load + ".loc 1 21 1\n" + store)) << advice_on(load + ".loc 1 21 1\n" + store);
  const std::string neighbour = ".loc 1 20 1\nld.global.u32 %r7, [%rd2+4];\nst.global.u32 [%rd2], %r7;";
  EXPECT_NE(advice_on(neighbour), "");
  EXPECT_FALSE(advises_atomic_add(neighbour)) << advice_on(neighbour);
}

TEST(RaceWatch, TwoBlocksMayBeOrderedByAnAtomicThatOrders) {
  const std::string store = ".loc 1 20 1\nst.global.u32 [%rd1], %r3;\n.loc 1 21 1\nld.global.u32 %r9, [%rd1];\n";
  const auto says = [&](const std::string& atomic, const char* words) {
    return advice_on(store + atomic).find(words) != std::string::npos;
  };
  EXPECT_FALSE(says("", "__threadfence()")) << "nothing in the kernel could be a flag";
  EXPECT_TRUE(says("atom.global.add.u32 %r7, [%rd1+65536], 1;",
                   "written before it and read after it, with __threadfence() on both sides"));
  EXPECT_FALSE(says("", "a relaxed atomic"));
  EXPECT_TRUE(says("atom.global.add.u32 %r7, [%rd1+65536], 1;", "a relaxed atomic"));
  EXPECT_TRUE(says("st.relaxed.gpu.global.u32 [%rd1+65536], 1;", "a relaxed atomic"));
  EXPECT_TRUE(says("st.relaxed.cta.global.u32 [%rd1+65536], 1;", "is of thread_scope_device"));
  EXPECT_FALSE(says("st.relaxed.gpu.global.u32 [%rd1+65536], 1;", "thread_scope_block"));
  EXPECT_FALSE(says("fence.acq_rel.gpu; atom.acq_rel.gpu.global.add.u32 %r7, [%rd1+65536], 1;", "a relaxed atomic"));
  EXPECT_FALSE(says("mov.u32 %r4, values; atom.shared.add.u32 %r7, [%r4], 1;", "a relaxed atomic"));
}

TEST(RaceWatch, AReleasedValueIsAcquired) {
  // Block 0 releases a value, the others read a flag and then the value, a thread each.
  const auto advice = [](const std::string& read_of_flag) {
    return advice_on(R"(
setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE;
setp.ne.u32 %p2, %r2, 0; @%p2 bra READ;
st.global.u32 [%rd1], 7; fence.acq_rel.gpu; st.relaxed.gpu.global.u32 [%rd1+4], 1; bra DONE;
READ:
.loc 1 22 1
)" + read_of_flag + R"(
.loc 1 23 1
ld.global.u32 %r9, [%rd1];
DONE:)");
  };
  const auto loaded = [](const std::string& order) { return "ld." + order + ".global.u32 %r8, [%rd1+4];"; };
  const auto drawn = [](const std::string& order) {
    return "atom" + order + ".global.or.b32 %r7, [%rd1+4], 1; mov.u32 %r8, %r7;";
  };
  const std::string grid = "fence.acq_rel.gpu;", block = "fence.acq_rel.cta;";
  const auto says = [&](const std::string& read_of_flag, const std::string& words) {
    const std::string text = advice(read_of_flag);
    EXPECT_NE(text.find("does line 22 tell that the other is done"), std::string::npos) << text;
    EXPECT_NE(text.find(words + "\n"), std::string::npos) << text;
  };
  const std::string fence = " around it: put __threadfence() after it", acquire = ", or let it acquire (memory_order_";
  says(drawn(""), "an atomic function orders nothing" + fence);
  says(drawn(".relaxed.gpu"), "a relaxed access orders nothing" + fence + acquire + "acq_rel)");
  says(drawn(".release.gpu"), "nothing that comes after: put __threadfence() after it" + acquire + "acq_rel)");
  says(loaded("volatile"), "`volatile` orders nothing" + fence);
  says(loaded("relaxed.gpu"), "a relaxed access orders nothing" + fence + acquire + "acquire)");
  says(loaded("relaxed.gpu") + block, acquire + "acquire)");
  says(grid + loaded("volatile"), "orders nothing" + fence);
  says(loaded("acquire.cta"),
       "of its own block only: put __threadfence() after it, or give it the scope of the device");
  for (const auto& right : {drawn("") + grid, drawn(".release.gpu") + "fence.sc.gpu;", drawn(".acq_rel.gpu"),
                            drawn(".acquire.gpu"), loaded("acquire.gpu"), loaded("volatile") + "membar.gl;"})
    EXPECT_EQ(advice(right), "");
}

TEST(RaceWatch, AnUpdateOfSharedMemoryWantsAnAtomic) {
  const auto sum_by = [](const char* guard) {
    return std::string(guard) + R"(
@%p1 bra DONE;
.loc 1 20 1
ld.shared.u32 %r7, [values];
add.u32 %r7, %r7, %r3;
st.shared.u32 [values], %r7;
DONE:)";
  };
  EXPECT_TRUE(advises_atomic_add(sum_by("setp.ge.u32 %p1, %r1, 32;")));
  EXPECT_TRUE(advises_atomic_add(sum_by("and.b32 %r5, %r1, 31; setp.ne.u32 %p1, %r5, 0;")));
  // A tree of sums adds what another thread has written: that wants a barrier.
  const std::string tree = R"(
mov.u32 %r4, values;
mad.lo.u32 %r5, %r1, 4, %r4;
st.shared.u32 [%r5], %r1;
bar.sync 0;
mov.u32 %r20, 64;
LOOP:
mad.lo.u32 %r6, %r20, 4, %r5;
setp.ge.u32 %p1, %r1, %r20;
@%p1 bra NEXT;
.loc 1 20 1
ld.shared.u32 %r7, [%r6];
ld.shared.u32 %r8, [%r5];
add.u32 %r8, %r8, %r7;
st.shared.u32 [%r5], %r8;
NEXT:
shr.u32 %r20, %r20, 1;
setp.ne.u32 %p2, %r20, 0;
@%p2 bra LOOP;)";
  EXPECT_NE(advice_on(tree).find("end the loop's body with __syncthreads()"), std::string::npos) << advice_on(tree);
  EXPECT_FALSE(advises_atomic_add(tree)) << advice_on(tree);
}

/// %r5 is the thread's own word of shared memory, %r6 that of the other half of the block.
std::string advice_on_exchange(const std::string& body) {
  return advice_on(R"(
mov.u32 %r4, values;
mad.lo.u32 %r5, %r1, 4, %r4;
xor.b32 %r6, %r1, 64;
mad.lo.u32 %r6, %r6, 4, %r4;
setp.lt.u32 %p1, %r1, 64;
)" + body);
}

void expect_advice(const std::string& body, const char* words) {
  EXPECT_NE(advice_on_exchange(body).find(words), std::string::npos) << advice_on_exchange(body);
}

TEST(RaceWatch, ABarrierBelongsOnTheWayThatHasNone) {
  const std::string store = ".loc 1 20 1\nst.shared.u32 [%r5], %r3;\n",
                    load = ".loc 1 21 1\nld.shared.u32 %r7, [%r6];\n";
  expect_advice(store + load, "put __syncthreads() between lines 20 and 21");
  expect_advice(store + load, "if the two were never to meet there, one of the indices is wrong");
  // One statement on two lines: what it reads comes first, though it stands below.
  expect_advice(load + store, "a thread reads at line 21 what another writes at line 20");
  const std::string loop_end = "add.u32 %r20, %r20, 1;\nsetp.lt.u32 %p2, %r20, 3;\n@%p2 bra LOOP;\n";
  expect_advice("LOOP:\n" + store + "bar.sync 0;\n" + load + loop_end, "end the loop's body with __syncthreads()");
  expect_advice("LOOP:\n" + store + load + "bar.sync 0;\n" + loop_end, "put __syncthreads() between lines 20 and 21,");
  expect_advice("LOOP:\n" + store + load + loop_end,
                "what others did in the round before, begin or end the loop's body with __syncthreads()");
  const std::string arms = "@%p1 bra READ;\n" + store + "bra DONE;\nREAD:\n" + load + "DONE:\n";
  expect_advice(arms, "are run by different threads at the same time");
  expect_advice("LOOP:\n" + arms + "bar.sync 0;\n" + loop_end, "are run by different threads at the same time");
  expect_advice(store + "bar.sync 1, 64;\n" + load, "does not wait for both threads");
}

TEST(RaceWatch, ABarrierBelongsBehindTheIfOfOneThread) {
  // The compiler has taken the read behind the `if` into the branch of the threads that do not write.
  const std::string advice = advice_on(R"(
mov.u32 %r4, values;
.loc 1 18 1
setp.ne.u32 %p1, %r1, 0;
@%p1 bra READ;
.loc 1 20 1
st.shared.u32 [%r4], %r3;
mov.u32 %r7, %r3;
bra DONE;
READ:
.loc 1 26 1
ld.shared.u32 %r7, [%r4];
DONE:
)");
  EXPECT_NE(advice.find("put __syncthreads() behind the `if` of line 18, where all threads of the block come by"),
            std::string::npos)
      << advice;
  EXPECT_EQ(advice.find("__syncwarp"), std::string::npos) << advice;
}

TEST(RaceWatch, AReleaseOfOneThreadIsNoneOfTheOthersOfItsBlock) {
  // Thread 127 of block 0 writes, and thread 0 releases a flag. Thread 0 of the others acquires it.
  const auto advice = [](const std::string& barrier) {
    return advice_on(R"(
setp.ne.u32 %p2, %r2, 0; @%p2 bra READ;
setp.ne.u32 %p1, %r1, 127; @%p1 bra TELL;
.loc 1 20 1
st.global.u32 [%rd1], 7;
TELL:
)" + barrier + R"(
setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE;
.loc 1 24 1
st.release.gpu.global.u32 [%rd1+4], 1;
bra DONE;
READ:
setp.ne.u32 %p1, %r1, 0; @%p1 bra DONE;
ld.acquire.gpu.global.u32 %r8, [%rd1+4];
.loc 1 30 1
ld.global.u32 %r9, [%rd1];
DONE:)");
  };
  EXPECT_EQ(advice("bar.sync 0;"), "");
  EXPECT_NE(
      advice("").find("line 20 is thread 127's, and the release at line 24 is thread 0's, which does not wait for "
                      "it: put __syncthreads() between the two"),
      std::string::npos)
      << advice("");
}

// A value that is read too early decides who comes to the second race.
TEST(RaceWatch, ARaceBehindAConditionThatAnotherRaceDecidesSaysSo) {
  const std::string flag = R"(
mov.u32 %r5, values;
setp.ne.u32 %p1, %r1, 0;
@%p1 bra READ;
.loc 1 11 1
st.shared.u32 [%r5], %r2;
READ:
.loc 1 12 1
ld.shared.u32 %r6, [%r5];
)";
  const std::string store = ".loc 1 13 1\nst.global.u32 [%rd1], %r3;\n";
  const Outcome follows = run_kernel(flag + "setp.ne.u32 %p2, %r6, 9;\n@%p2 ret;\n" + store, 1);
  ASSERT_EQ(follows.findings.size(), 2u);
  EXPECT_FALSE(follows.findings[0].follows);
  ASSERT_TRUE(follows.findings[1].follows);
  EXPECT_EQ(follows.findings[1].follows->where.line, 12);
  const Outcome alone = run_kernel(flag + store, 1);
  ASSERT_EQ(alone.findings.size(), 2u);
  EXPECT_FALSE(alone.findings[1].follows) << "the value goes nowhere";
}

TEST(RaceWatch, ABarrierOfTheWarpWhereABranchKeepsThreadsAway) {
  const std::string inside =
      "setp.gt.u32 %p1, %r1, 31;\n@%p1 bra DONE;\nshl.b32 %r7, %r1, 2;\nadd.u32 %r5, %r7, values;\n"
      "xor.b32 %r8, %r7, 64;\nadd.u32 %r6, %r8, values;\n";
  const auto advice = [&](const std::string& lines) {
    const Outcome outcome = run_kernel("mov.u32 %r9, values;\n" + inside + lines + "DONE:\n", 1);
    EXPECT_EQ(outcome.findings.size(), 1u);
    return outcome.findings.empty() ? "" : outcome.findings[0].advice;
  };
  const std::string lines = "st.shared.u32 [%r5], %r3;\n.loc 1 21 1\nld.shared.u32 %r10, [%r6];\n";
  EXPECT_NE(advice(".loc 1 20 1\n" + lines).find("put __syncwarp() between lines 20 and 21"), std::string::npos);
}

// Registers that live one after the other share a slot, and are different registers all the same.
TEST(RaceWatch, AGuessForACompareAndSwapIsToldFromAnEarlierValue) {
  const std::string body = R"(
.loc 1 11 1
ld.global.u32 %r9, [%rd2+65536];
st.global.u32 [%rd2+131072], %r9;
.loc 1 12 1
ld.global.u32 %r10, [%rd1];
again:
mov.u32 %r11, %r10;
add.u32 %r12, %r11, 1;
atom.global.cas.b32 %r10, [%rd1], %r11, %r12;
setp.ne.u32 %p1, %r10, %r11;
@%p1 bra again;
)";
  EXPECT_EQ(run_kernel(body, 1).findings.size(), 0u);
  std::string guessed = body;
  guessed.replace(guessed.find("again:"), 0, "st.global.u32 [%rd2+131072], %r10;\n");
  EXPECT_EQ(run_kernel(guessed, 1).findings.size(), 1u) << "the guess may be old";
}

TEST(RaceWatch, ACopyIsNoUpdate) {
  // One line has a load by one register, and a store by another that may have its slot, as the first is over by then.
  const auto message = [](const std::string& to) {
    const Outcome outcome = run_kernel(R"(
.loc 1 11 1
ld.global.u32 %r9, [%rd2+65536];
mad.wide.u32 %rd5, %r9, 4, %rd1;
.loc 1 12 1
ld.global.u32 %r10, [%rd5];
add.u32 %r10, %r10, %r3;
mad.wide.u32 %rd7, %r9, 4, %rd1;
st.global.u32 [)" + to + "], %r10;\n",
                                       1);
    EXPECT_FALSE(outcome.findings.empty());
    return outcome.findings.empty() ? "" : outcome.findings.front().message;
  };
  EXPECT_NE(message("%rd5").find("update the same element"), std::string::npos);
  EXPECT_EQ(message("%rd7").find("update the same element"), std::string::npos);
}

TEST(RaceWatch, AVectorIsOneAccess) {
  // Each block stores to the same pairs. The first words are alike.
  const Outcome outcome = run_kernel(R"(
mul.wide.u32 %rd3, %r1, 8;
add.s64 %rd3, %rd1, %rd3;
mov.u32 %r4, 5;
st.global.v2.u32 [%rd3], {%r4, %r3};)",
                                     1);
  ASSERT_EQ(outcome.findings.size(), 1u) << text_of(outcome);
  EXPECT_EQ(outcome.findings[0].access_bytes, 8u);
  EXPECT_EQ(outcome.findings[0].value_before, "0x0000000000000005");
  EXPECT_EQ(outcome.findings[0].value_after, "0x0000008000000005");
}

TEST(RaceWatch, WhatAWiderStoreWritesBesideTheOtherIsNoRace) {
  // The first block stores one word of each pair, and the others the same word and another.
  const Outcome outcome = run_kernel(R"(
mul.wide.u32 %rd3, %r1, 8;
add.s64 %rd3, %rd1, %rd3;
mov.u32 %r4, 5;
mov.u32 %r5, 7;
setp.lt.u32 %p1, %r3, 128;
@%p1 st.global.u32 [%rd3], %r4;
@!%p1 st.global.v2.u32 [%rd3], {%r4, %r5};)",
                                     1);
  EXPECT_TRUE(outcome.findings.empty()) << text_of(outcome);
}

}  // namespace
}  // namespace cudasim
