// SPDX-License-Identifier: MIT
// How a finding speaks of memory. It speaks of floats where the PTX says so. The kernel's arguments tell a buffer that
// is too small from a guard that is missing.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "messages/element.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

/// The finding of `access` to address %rd1, which is element `index` of an array with `bytes` bytes, in a kernel with
/// the argument n.
Finding finding_of(const std::string& access, std::uint64_t index, std::uint64_t bytes, std::uint32_t n, Dim3 grid = {},
                   Dim3 block = {}, std::uint32_t shared_bytes = 0) {
  const std::string text = R"(.version 8.0
.target sm_75
.address_size 64
.extern .shared .align 4 .b8 values[];
.visible .entry k(.param .u64 out, .param .u32 n) {
.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;
ld.param.u64 %rd1, [out];
mov.f32 %f1, 0f3F200000;
mov.f64 %fd1, 0d3FE4000000000000;
)" + access + "\nret;\n}\n";
  Memory memory(64 << 20);
  Module module(ptx::parse(text), memory);
  const Allocation* out = memory.allocate(bytes, Origin::cuda_malloc, "", 256, {17});
  Launch launch;
  launch.parameters.resize(12);
  launch.grid = grid;
  launch.block = block;
  launch.dynamic_shared_bytes = shared_bytes;
  const std::uint64_t address = out->address + 4 * index;
  std::memcpy(launch.parameters.data(), &address, sizeof address);
  std::memcpy(launch.parameters.data() + 8, &n, sizeof n);
  const Outcome outcome = run(module.program("k"), launch, memory, {});
  EXPECT_EQ(outcome.findings.size(), 1u);
  return outcome.findings.empty() ? Finding{} : outcome.findings.front();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Places, FloatsAreCountedAsFloats) {
  const Finding one = finding_of("st.global.f32 [%rd1], %f1;", 26, 100, 0);
  EXPECT_TRUE(has(one.message, "a write of 1 float at")) << one.message;
  EXPECT_EQ(one.allocation, "1 float past the end of the 25 floats (100 bytes) of allocation 1 (cudaMalloc)");
  const Finding four = finding_of("ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", 28, 100, 0);
  EXPECT_TRUE(has(four.message, "a read of 4 floats at")) << four.message;
  const Finding wide = finding_of("atom.global.add.f64 %fd2, [%rd1], %fd1;", 26, 100, 0);
  EXPECT_TRUE(has(wide.message, "a write of 1 double at")) << wide.message;
  EXPECT_TRUE(has(wide.allocation, "past the end of the 100 bytes of")) << "which hold no whole number of doubles";
}

TEST(Places, WhatHasNoNameIsCountedInElementsOfItsSize) {
  const Finding finding = finding_of("st.global.u32 [%rd1], 1;", 26, 100, 0);
  EXPECT_TRUE(has(finding.message, "a write of 4 bytes at")) << finding.message;
  EXPECT_EQ(finding.allocation,
            "1 element of 4 bytes past the end of the 25 elements of 4 bytes (100 bytes) of allocation 1 (cudaMalloc)");
}

TEST(Places, ABufferIsTooSmallWhereAGuardWouldLetTheIndexPass) {
  const std::string store = "st.global.f32 [%rd1], %f1;";
  const Finding bytes = finding_of(store, 25, 100, 100);
  EXPECT_TRUE(has(bytes.advice,
                  "It was allocated with 100 bytes, and 100 is also an argument of the kernel: 100 floats "
                  "need 100 * sizeof(float)"))
      << bytes.advice;
  const Finding less = finding_of(store, 25, 100, 26);
  EXPECT_TRUE(has(less.advice, "or the index wrong? Element 25 is below 26, an argument of the kernel")) << less.advice;
}

TEST(Places, AGuardIsMissingWhereItWouldHaveHelped) {
  const Finding finding = finding_of("st.global.f32 [%rd1], %f1;", 25, 100, 25);
  EXPECT_TRUE(has(finding.advice, "guard the access with `if (index < n)`")) << finding.advice;
  EXPECT_FALSE(has(finding.advice, "too small"));
  const Finding unknown = finding_of("st.global.f32 [%rd1], %f1;", 25, 100, 0);  // 0 is no number of elements
  EXPECT_TRUE(has(unknown.advice, "either a guard")) << unknown.advice;
}

TEST(Places, AnIndexBelowZeroIsSubtractedOrHasOverflowed) {
  const std::string store = "st.global.f32 [%rd1], %f1;";
  const Finding near = finding_of(store, std::uint64_t{0} - 2, 100, 25);
  EXPECT_TRUE(has(near.advice, "the index is -2: below 0")) << near.advice;
  EXPECT_FALSE(has(near.advice, "guard the access")) << near.advice;
  const Finding far = finding_of(store, std::uint64_t{0} - (1u << 28), 100, 25);
  EXPECT_TRUE(has(far.advice, "has a sum or a product of ints grown above 2147483647")) << far.advice;
}

TEST(Places, AGuardThatLetsTheIndexPassIsNamed) {
  const std::string guarded =
      "mov.u32 %r1, %tid.x;\nld.param.u32 %r2, [n];\nsetp.ge.u32 %p1, %r1, %r2;\n@%p1 ret;\n"
      "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\nst.global.f32 [%rd1+4], %f1;";
  const Finding finding = finding_of(guarded, 0, 128, 32, {}, {32, 1, 1});
  EXPECT_TRUE(has(finding.advice, "asks for the index already, and lets it pass")) << finding.advice;
  const std::string chosen = "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 0;\n@%p1 ret;\nst.global.f32 [%rd1], %f1;";
  EXPECT_TRUE(has(finding_of(chosen, 25, 100, 25).advice, "guard the access")) << "it chooses a thread";
}

TEST(Places, ABranchThatAllThreadsTakeAlikeIsNoGuard) {
  const std::string store =
      "ld.param.u32 %r1, [n];\nsetp.ge.u32 %p1, %r1, 5000;\n@%p1 ret;\n"
      "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd1, %rd1, %rd2;\nst.global.f32 [%rd1], %f1;";
  const Finding finding = finding_of(store, 0, 100, 25);
  EXPECT_TRUE(has(finding.advice, "guard the access with `if (index < n)`")) << finding.advice;
}

TEST(Places, ABufferWithAnElementForEachBlockIsTooSmall) {
  const std::string store_of_block_3 =
      "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 3; @%p1 ret; st.global.f32 [%rd1], %f1;";
  const Finding block = finding_of(store_of_block_3, 3, 12, 100, {4, 1, 1}, {32, 1, 1});
  EXPECT_TRUE(has(block.advice, "Element 3 is below 4, the number of blocks")) << block.advice;
  EXPECT_TRUE(has(block.advice, "room for 3 floats, and 4 need 4 * sizeof(float)")) << block.advice;
  const Finding other = finding_of(store_of_block_3, 5, 12, 100, {9, 1, 1}, {32, 1, 1});
  EXPECT_TRUE(has(other.advice, "below 100, an argument")) << "an index that is not the block's: " << other.advice;
}

TEST(Places, ALaunchMayHaveTooManyThreads) {
  const std::string store_of_block_1 =
      "mov.u32 %r1, %ctaid.x; setp.ne.u32 %p1, %r1, 1; @%p1 ret; st.global.f32 [%rd1], %f1;";
  const Finding much = finding_of(store_of_block_1, 25, 100, 25, {4, 1, 1}, {25, 1, 1});
  EXPECT_TRUE(has(much.advice, "Element 25 is that of thread 0 in block 1")) << much.advice;
  EXPECT_TRUE(has(much.advice, "there are 4 blocks of 25 threads")) << much.advice;
  const Finding few = finding_of(store_of_block_1, 16, 64, 16, {2, 1, 1}, {16, 1, 1});
  EXPECT_TRUE(has(few.advice, "too many threads")) << "the second block is past the end";
  const Finding tail = finding_of(store_of_block_1, 16, 60, 15, {2, 1, 1}, {16, 1, 1});
  EXPECT_TRUE(has(tail.advice, "too many threads")) << tail.advice;
  const Finding guard = finding_of(store_of_block_1, 25, 100, 25, {2, 1, 1}, {16, 1, 1});
  EXPECT_FALSE(has(guard.advice, "too many threads")) << "the tail of the last block: " << guard.advice;
}

TEST(Places, OfASharedArrayTheLaunchIsAsked) {
  const std::string store = "mov.u32 %r1, values; st.shared.f32 [%r1+8], %f1;";
  const auto advice = [&](std::uint32_t bytes, std::uint32_t threads) {
    return finding_of(store, 0, 100, 25, {}, {threads, 1, 1}, bytes).advice;
  };
  EXPECT_TRUE(has(advice(8, 8), "in bytes, the third argument in <<<...>>>: 8, but 8 floats need 8 * sizeof(float)"))
      << advice(8, 8);
  EXPECT_FALSE(has(advice(8, 32), "need")) << advice(8, 32);
  EXPECT_TRUE(has(advice(8, 32), "here a block has 32 threads")) << advice(8, 32);
}

TEST(Places, TheAllocationsCallersComeWithIt) {
  EXPECT_EQ(finding_of("st.global.f32 [%rd1], %f1;", 25, 100, 25).callers[0], 17u);
}

TEST(Places, ValuesAreShownAsTheyAreMeant) {
  const float floats[] = {0.625f, -1.0f, 1e30f, 0.1f};
  const auto* bytes = reinterpret_cast<const std::byte*>(floats);
  EXPECT_EQ(value_text({"float", 4}, bytes, 4), "0.625");
  EXPECT_EQ(value_text({"float", 4}, bytes, 16), "(0.625, -1, 1.00000002e+30, 0.100000001)");
  EXPECT_EQ(value_text({}, bytes, 4), "0x3f200000");
  const double number = 0.1;
  EXPECT_EQ(value_text({"double", 8}, reinterpret_cast<const std::byte*>(&number), 8), "0.10000000000000001");
}

}  // namespace
}  // namespace cudasim
