// SPDX-License-Identifier: MIT
// Registers that live one after the other share a slot of the frame: no value may be lost by that.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "decode/analysis/liveness.h"
#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"

namespace cudasim {
namespace {

constexpr unsigned threads = 48;  // a warp and a half
using Lanes = std::array<std::uint32_t, threads>;

/// One step of a program of 32-bit registers.
struct Step {
  enum class Kind { add, multiply, guarded, both_ways, loop } kind;
  unsigned to, a, b;
  std::vector<Step> body, other;
};

/// A random program and what it computes. A step reads registers that are at most `reach` old, so most of them are soon
/// over; all results go into register 0.
class RandomKernel {
 public:
  explicit RandomKernel(unsigned seed) : random_(seed) {
    for (unsigned r = 1; r <= reach; ++r) fresh();
    steps_ = block(150, 0);
  }

  unsigned registers() const { return next_; }

  std::string text() {
    std::string body;
    for (unsigned r = 0; r <= reach; ++r)
      body += "mad.lo.u32 %r" + number(r) + ", %t0, " + number(17 * r + 1) + ", 5;\n";
    write(steps_, body);
    return ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out) {\n.reg .pred %p<2>; "
           ".reg .b32 "
           "%t<2>; .reg .b32 %i<9>; .reg .b32 %r<" +
           number(next_) + ">; .reg .b64 %rd<4>;\nmov.u32 %t0, %tid.x;\nld.param.u64 %rd1, [out];\n" + body +
           "mul.wide.u32 %rd2, %t0, 4;\nadd.s64 %rd3, %rd1, %rd2;\nst.global.u32 [%rd3], %r0;\nret;\n}\n";
  }

  Lanes result() const {
    std::vector<Lanes> values(next_);
    for (unsigned r = 0; r <= reach; ++r) {
      for (unsigned t = 0; t < threads; ++t) values[r][t] = t * (17 * r + 1) + 5;
    }
    for (unsigned t = 0; t < threads; ++t) follow(steps_, values, t);
    return values[0];
  }

 private:
  static constexpr unsigned reach = 8;
  std::mt19937 random_;
  unsigned next_ = 1;
  unsigned labels_ = 0;
  std::vector<Step> steps_;

  static std::string number(unsigned n) { return std::to_string(n); }
  unsigned fresh() { return next_++; }
  unsigned old() { return next_ - 1 - random_() % reach; }

  std::vector<Step> block(unsigned count, unsigned depth) {
    std::vector<Step> made;
    for (unsigned i = 0; i < count; ++i) {
      const unsigned chance = random_() % 16;
      Step step{chance < 6    ? Step::Kind::add
                : chance < 11 ? Step::Kind::multiply
                : chance < 13 ? Step::Kind::guarded
                : chance < 15 ? Step::Kind::both_ways
                              : Step::Kind::loop,
                0,
                old(),
                old(),
                {},
                {}};
      const bool has_blocks = step.kind == Step::Kind::both_ways || step.kind == Step::Kind::loop;
      if (has_blocks && depth == 3) continue;
      if (step.kind == Step::Kind::guarded) step.to = old();
      if (!has_blocks && step.kind != Step::Kind::guarded) step.to = fresh();
      if (has_blocks) {
        // What begins in a block is not read behind it: it may not have been written.
        const unsigned before = next_;
        step.body = block(6, depth + 1);
        if (step.kind == Step::Kind::both_ways) step.other = inner_block(before, depth + 1);
        made.push_back(step);
        for (unsigned r = 0; r < reach; ++r) made.push_back({Step::Kind::add, fresh(), before - 1 - r % 2, 0, {}, {}});
        continue;
      }
      made.push_back(step);
    }
    return made;
  }

  /// The other way of a branch reads what was there before both.
  std::vector<Step> inner_block(unsigned before, unsigned depth) {
    std::vector<Step> made;
    for (unsigned r = 0; r < reach; ++r) made.push_back({Step::Kind::add, fresh(), before - 1 - r, 0, {}, {}});
    const auto more = block(4, depth);
    made.insert(made.end(), more.begin(), more.end());
    return made;
  }

  void write(const std::vector<Step>& steps, std::string& text, unsigned depth = 0) {
    for (const Step& step : steps) {
      const std::string to = "%r" + number(step.to), a = "%r" + number(step.a), b = "%r" + number(step.b);
      const std::string label = number(labels_++), i = "%i" + number(depth);
      switch (step.kind) {
        case Step::Kind::add:
          text += "add.u32 " + to + ", " + a + ", " + b + ";\n";
          break;
        case Step::Kind::multiply:
          text += "mad.lo.u32 " + to + ", " + a + ", " + b + ", 7;\n";
          break;
        case Step::Kind::guarded:
          text += "setp.lt.u32 %p0, " + a + ", " + b + ";\n@%p0 xor.b32 " + to + ", " + to + ", " + a + ";\n";
          break;
        case Step::Kind::both_ways:
          text += "setp.lt.u32 %p1, " + a + ", " + b + ";\n@%p1 bra other" + label + ";\n";
          write(step.body, text, depth + 1);
          text += "bra end" + label + ";\nother" + label + ":\n";
          write(step.other, text, depth + 1);
          text += "end" + label + ":\n";
          break;
        case Step::Kind::loop:
          text += "mov.u32 " + i + ", 0;\nloop" + label + ":\n";
          write(step.body, text, depth + 1);
          text += "add.u32 " + i + ", " + i + ", 1;\nsetp.lt.u32 %p1, " + i + ", 3;\n@%p1 bra loop" + label + ";\n";
          break;
      }
      if (step.kind == Step::Kind::add || step.kind == Step::Kind::multiply)
        text += "mad.lo.u32 %r0, %r0, 31, " + to + ";\n";
    }
  }

  static void follow(const std::vector<Step>& steps, std::vector<Lanes>& values, unsigned t) {
    for (const Step& step : steps) {
      const std::uint32_t a = values[step.a][t], b = values[step.b][t];
      std::uint32_t& to = values[step.to][t];
      switch (step.kind) {
        case Step::Kind::add:
          to = a + b;
          break;
        case Step::Kind::multiply:
          to = a * b + 7;
          break;
        case Step::Kind::guarded:
          if (a < b) to ^= a;
          break;
        case Step::Kind::both_ways:
          follow(a < b ? step.other : step.body, values, t);
          break;
        case Step::Kind::loop:
          for (int i = 0; i < 3; ++i) follow(step.body, values, t);
          break;
      }
      if (step.kind == Step::Kind::add || step.kind == Step::Kind::multiply) values[0][t] = values[0][t] * 31 + to;
    }
  }
};

TEST(RegisterSlots, NoValueIsLost) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    RandomKernel kernel(seed);
    Memory memory(64 << 20);
    Module module(ptx::parse(kernel.text()), memory);
    const Allocation* out = memory.allocate(4 * threads, Origin::cuda_malloc, "", 256, {});
    Launch launch;
    launch.parameters.resize(8);
    launch.block = {threads, 1, 1};
    std::memcpy(launch.parameters.data(), &out->address, sizeof out->address);
    const auto& decoded = module.program("k");
    const Outcome outcome = run(decoded, launch, memory, {});
    ASSERT_TRUE(outcome.findings.empty()) << seed << ": " << outcome.findings.front().message;
    Lanes got;
    std::memcpy(got.data(), out->host, sizeof got);
    ASSERT_EQ(got, kernel.result()) << seed << '\n' << kernel.text();
    EXPECT_LT(decoded.functions[0].frame_bytes, 64 * kernel.registers()) << "most registers are soon over";
  }
}

TEST(RegisterSlots, AResultIsNotWhereAnOperandIs) {
  std::string body = "ld.param.u64 %rd1, [out];\nld.global.u32 %r0, [%rd1];\n";
  for (int i = 0; i < 9; ++i) body += "add.u32 %r" + std::to_string(i + 1) + ", %r" + std::to_string(i) + ", 1;\n";
  Memory memory(1 << 20);
  Module module(
      ptx::parse(".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out) {\n.reg .b32 "
                 "%r<10>; .reg .b64 %rd<2>;\n" +
                 body + "st.global.u32 [%rd1], %r9;\nret;\n}\n"),
      memory);
  const Program& program = module.program("k");
  for (const MicroOp& op : program.code) {
    if (op.kind != MicroOpcode::pure) continue;
    EXPECT_NE(op.d, op.a) << "what an instruction becomes may write before it has read all";
  }
  // A sum of what is loaded is known to no block before it runs, so it keeps no slot for itself.
  EXPECT_LT(program.functions[0].frame_bytes, 256 + 10 * 128u);
}

std::vector<LiveRange> ranges(const std::string& body) {
  const auto text = ptx::parse(
      ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 out) {\n.reg .pred %p<2>; .reg "
      ".b32 "
      "%r<9>;\n" +
      body + "\n}\n");
  const auto& function = text.functions[0];
  return compute_liveness(function, build_control_flow(function), find_rows(function)).ranges;
}

TEST(RegisterSlots, AValueThatALoopReadsLivesAllOfTheLoop) {
  const auto of = ranges(
      "mov.u32 %r0, 1;\n"           // 0
      "mov.u32 %r1, 0;\n"           // 1
      "again:\n"                    //
      "add.u32 %r2, %r0, %r1;\n"    // 2
      "mov.u32 %r1, %r2;\n"         // 3
      "setp.lt.u32 %p0, %r1, 9;\n"  // 4
      "@%p0 bra again;\n"           // 5
      "mov.u32 %r3, 1;\n"           // 6
      "ret;");
  const auto is = [&](std::size_t r, std::uint32_t first, std::uint32_t last) {
    EXPECT_EQ(of[r].first, first) << r;
    EXPECT_EQ(of[r].last, last) << r;
  };
  is(2, 0, 5);  // %r0, behind two predicates
  is(3, 1, 5);
  is(4, 2, 3);
  is(5, 6, 6);
  is(0, 4, 5);
  EXPECT_TRUE(of[6].is_empty());
}

TEST(RegisterSlots, WhatIsWrittenInSomeLanesLivesBeforeToo) {
  const auto of = ranges(
      "setp.lt.u32 %p0, 1, 2;\n"
      "mov.u32 %r1, 3;\n"
      "@%p0 mov.u32 %r0, 1;\n"
      "add.u32 %r2, %r0, %r1;\n"
      "ret;");
  EXPECT_EQ(of[2].first, 0u) << "from the begin of the kernel, as other lanes read what was there";
  EXPECT_EQ(of[2].last, 3u);
}

}  // namespace
}  // namespace cudasim
