// SPDX-License-Identifier: MIT
// The budget of a launch, and what a person who waits for it sees.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "decode/module.h"
#include "machine/run.h"
#include "memory/memory.h"
#include "program/launch.h"
#include "program/program.h"
#include "ptx/parser.h"
#include "state/printed_text.h"

namespace cudasim {
namespace {

Outcome run_blocks(std::uint32_t blocks, const Schedule& schedule, const std::string& body = "") {
  Memory memory(64 << 20);
  Module module(ptx::parse(R"(.version 8.0
.target sm_75
.address_size 64
.file 1 "student.cu"
.extern .func (.param .b32 r) vprintf (.param .b64 a, .param .b64 b);
.global .align 1 .b8 line[4] = {104, 105, 10, 0};
.visible .entry k() {
.reg .b32 %r<9>; .reg .b64 %rd<9>;
.loc 1 7 1
mov.u32 %r1, %tid.x;
)" + body + "ret;\n}\n"),
                memory);
  Launch launch;
  launch.grid.x = blocks;
  launch.block.x = 32;
  return run(module.program("k"), launch, memory, schedule);
}

const char* const print_a_line = R"(
{
.param .b64 a; .param .b64 b; .param .b32 r;
mov.u64 %rd1, line;
cvta.global.u64 %rd2, %rd1;
mov.u64 %rd3, 0;
st.param.b64 [a], %rd2;
st.param.b64 [b], %rd3;
call.uni (r), vprintf, (a, b);
}
)";

TEST(LaunchBudget, EndsAGridWithMoreWarpsThanItHasInstructions) {
  for (const auto order : {Schedule::Order::plain, Schedule::Order::adversarial, Schedule::Order::random}) {
    Schedule schedule;
    schedule.order = order;
    schedule.step_budget = 1000;
    const Outcome outcome = run_blocks(2'000'000'000, schedule);
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_EQ(outcome.findings[0].kind, FindingKind::step_budget);
    EXPECT_EQ(outcome.findings[0].message,
              "the launch has more warps than the launch's budget of 100000 warp instructions has instructions: it has "
              "2000000000 blocks of 1 warp");
  }
}

TEST(LaunchBudget, CountsAllBlocks) {
  std::string work;
  for (int i = 0; i < 40; ++i) work += "add.u32 %r1, %r1, 1;\n";
  for (const unsigned workers : {1u, 2u}) {
    Schedule schedule;
    schedule.workers = workers;
    schedule.step_budget = 1000;
    const Outcome outcome = run_blocks(90'000, schedule, work);
    ASSERT_EQ(outcome.findings.size(), 1u);
    EXPECT_EQ(outcome.findings[0].message,
              "the launch used up the launch's budget of 100000 warp instructions: it has 90000 blocks of 1 warp");
    EXPECT_LT(outcome.counters.warp_instructions, 1'000'000u);
    EXPECT_TRUE(run_blocks(2'000, schedule, work).findings.empty());
  }
}

TEST(Progress, IsToldForShortBlocks) {
  std::vector<std::string> told;
  Schedule schedule;
  schedule.patience_seconds = 0;
  schedule.still_running = [&](const Finding& now) { told.push_back(now.message + " at " + now.where.file); };
  EXPECT_TRUE(run_blocks(100'000, schedule).findings.empty());
  ASSERT_FALSE(told.empty());
  EXPECT_NE(told[0].find("1 of 100000 blocks have ended at student.cu"), std::string::npos) << told[0];
}

TEST(Progress, SaysNothingOnceAllBlocksHaveEnded) {
  Schedule schedule;
  schedule.patience_seconds = 0;
  schedule.still_running = [](const Finding& now) { ADD_FAILURE() << now.message; };
  run_blocks(1, schedule);
}

TEST(Progress, ShowsTextAsItComes) {
  std::vector<std::string> shown;
  Schedule schedule;
  schedule.patience_seconds = 0;
  schedule.still_running = [](const Finding&) {};
  schedule.show_text = [&](const std::string& text) { shown.push_back(text); };
  EXPECT_EQ(run_blocks(2, schedule, print_a_line).printed, "");
  std::string whole, block;
  for (const std::string& text : shown) whole += text;
  for (int thread = 0; thread < 32; ++thread) block += "hi\n";
  EXPECT_EQ(whole, block + block);
  ASSERT_EQ(shown.size(), 33u);  // the first block's when it has ended, the second one's line by line
  EXPECT_EQ(shown[0], block);
  schedule.patience_seconds = 1000;
  shown.clear();
  EXPECT_EQ(run_blocks(2, schedule, print_a_line).printed, block + block);
  EXPECT_TRUE(shown.empty());
}

TEST(PrintedText, KeepsTheLastBytes) {
  PrintedText text(10);
  for (const char* line : {"one\n", "two\n", "three\n", "four\n"}) text.add(line);
  EXPECT_TRUE(text.has_lost());
  EXPECT_EQ(text.take(), "four\n");
}

TEST(PrintedText, IsShownEarlyUpToTwiceItsSize) {
  PrintedText text(10);
  text.add("one\n");
  text.add("two\n");
  EXPECT_EQ(text.take_early(), "one\ntwo\n");
  text.add("three\n");
  EXPECT_EQ(text.take_early(), "three\n");
  text.add("four\n");
  EXPECT_EQ(text.take_early(), "four\n");
  for (const char* line : {"five\n", "six\n", "seven\n"}) text.add(line);
  EXPECT_EQ(text.take_early(), "") << "ten bytes have come after the first";
  EXPECT_EQ(text.take(), "seven\n");
  EXPECT_EQ(text.written(), 4u + 4 + 6 + 5 + 5 + 4 + 6);
}

}  // namespace
}  // namespace cudasim
