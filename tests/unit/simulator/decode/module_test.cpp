// SPDX-License-Identifier: MIT
// Loading of modules: what kernels may have as parameters, and what variables begin with.
#include "decode/module.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "isa/instruction.h"
#include "memory/memory.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

std::string text_of(const std::string& body) { return ".version 7.0\n.target sm_80\n.address_size 64\n" + body; }

/// Why a kernel with these parameters is refused; empty: it is not.
std::string why_refused(const std::string& parameters) {
  Memory memory(64 << 20);
  try {
    const Module module(ptx::parse(text_of(".visible .entry k(" + parameters + ") { ret; }\n")), memory);
    std::uint64_t end = 0;
    for (const KernelInfo::Parameter& p : module.info("k").parameters) {
      EXPECT_LE(p.offset_bytes + p.size_bytes, module.info("k").parameter_bytes);
      EXPECT_GE(p.offset_bytes, end);
      end = p.offset_bytes + p.size_bytes;
    }
    return "";
  } catch (const Refusal& refusal) {
    return refusal.message;
  }
}

TEST(Module, RefusesMoreParametersThanAKernelMayHave) {
  EXPECT_EQ(why_refused(".param .align 8 .b8 a[32764]"), "");
  EXPECT_EQ(why_refused(".param .u32 a, .param .align 4096 .b8 b[16]"), "");
  const std::string too_long = "ends behind the 32764 bytes that a kernel's parameters may have";
  EXPECT_EQ(why_refused(".param .b8 a[32765]"), "parameter 'a' " + too_long);
  EXPECT_EQ(why_refused(".param .b8 a[32761], .param .u32 b"), "parameter 'b' " + too_long);
  std::string many;  // whose sizes come to 2^32 and 64 KiB
  for (int i = 0; i < 65537; ++i)
    many += std::string(i == 0 ? "" : ",") + ".param .align 1 .b8 p" + std::to_string(i) + "[65536]";
  EXPECT_EQ(why_refused(many), "parameter 'p0' " + too_long);
}

TEST(Module, RefusesAlignmentsAboveAPage) {
  const std::string gibibyte = ".param .align 1073741824 .b8 ";
  EXPECT_EQ(why_refused(".param .u32 a, " + gibibyte + "b[4], " + gibibyte + "c[4], " + gibibyte + "d[4], " + gibibyte +
                        "e[4], .param .u32 f"),
            "parameter 'b' is aligned to more than 4096 bytes");
}

TEST(Module, FillsTheUpperHalfOfA128BitVariableWithZeros) {
  Memory memory(64 << 20);
  const Module module(ptx::parse(text_of(".global .align 16 .b128 wide[2] = {7, 9};\n")), memory);
  const Allocation* wide = module.variable("wide");
  ASSERT_NE(wide, nullptr);
  std::uint64_t words[4];
  std::memcpy(words, wide->host, sizeof words);
  EXPECT_EQ(words[0], 7u);
  EXPECT_EQ(words[1], 0u);
  EXPECT_EQ(words[2], 9u);
  EXPECT_EQ(words[3], 0u);
}

// A kernel's instructions and the host's calls of one feature have the same words.
TEST(Features, HaveTheirNamesAndWhatToUseInstead) {
  for (const char* opcode : {"cp.async.bulk.tensor.2d", "fence.proxy.async.shared::cta", "tensormap.replace"})
    EXPECT_EQ(feature_of(opcode).find("bulk copies (TMA) are not simulated; copy with cp.async"), 0u) << opcode;
  EXPECT_EQ(feature_of_call("cuTensorMapEncodeTiled"), feature_of("tensormap.replace"));
  EXPECT_EQ(feature_of_call("cudaOccupancyMaxActiveClusters"), feature_of("barrier.cluster.arrive"));
  EXPECT_EQ(feature_of("fence.acq_rel.gpu"), "");
  EXPECT_EQ(feature_of_call("cudaMalloc"), "");
}

}  // namespace
}  // namespace cudasim
