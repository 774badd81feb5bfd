// SPDX-License-Identifier: MIT
// Loading of modules: what kernels may have as parameters, and what variables begin with.
#include "decode/module.h"

#include <gtest/gtest.h>

#include <cstring>
#include <ctime>
#include <string>

#include "decode/analysis/control_flow.h"
#include "isa/instruction.h"
#include "memory/memory.h"
#include "program/program.h"
#include "ptx/link.h"
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

TEST(Module, RefusesMoreConstantMemoryThanOneBank) {
  Memory memory(1ull << 30);
  const auto why = [&](const std::string& variables) -> std::string {
    try {
      const Module module(ptx::parse(text_of(variables + ".visible .entry k() { ret; }\n")), memory);
      return "";
    } catch (const ptx::LinkError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(why(".const .b8 a[65532];\n.const .u32 b;\n"), "");
  EXPECT_EQ(why(".const .b8 a[65533];\n.const .u32 b;\n")
                .find("constant memory has 65536 bytes for all __constant__ "
                      "variables, and with 'b' of 4 bytes they need 65540"),
            0u);
  EXPECT_NE(why(".const .b8 a[1000000000];\n"), "");
}

TEST(Module, FindsManyLabelsInLinearTime) {
  constexpr int kLabels = 100'000;
  ptx::Function function;
  for (int i = 0; i < kLabels; ++i) {
    ptx::Instruction branch;
    branch.opcode = "bra";
    branch.operands.emplace_back();
    branch.operands[0].name = "label_with_a_long_name_" + std::to_string(i);
    function.labels.push_back({branch.operands[0].name, static_cast<std::uint32_t>(i + 1)});
    function.instructions.push_back(branch);
  }
  const std::clock_t begun = std::clock();
  const BranchTargets targets(function);
  for (int i = 0; i < kLabels; ++i)
    ASSERT_EQ(targets.of(function.instructions[static_cast<std::size_t>(i)])[0], static_cast<std::uint32_t>(i + 1));
  EXPECT_LT(std::clock() - begun, 2 * CLOCKS_PER_SEC);
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
