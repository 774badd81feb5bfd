// SPDX-License-Identifier: MIT
// What a program makes of a run: one case or many, what failed in which of them, and a run that does not end. Needs a
// device.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "../fake_problem.h"
#include "workbook/case/changed_element.h"
#include "workbook/program/program.h"
#include "workbook/program/time_limit.h"
#include "workbook/student/cuda_check.h"
#include "workbook/student/todo.h"

namespace workbook {
namespace {

using nlohmann::json;

constexpr Stage kStage{3, "shared memory", "stages/stage03/todo.cu"};

struct Ended {
  ExitStatus status;
  std::string out;
  std::string err;
};

Ended run(const FakeProblem::Function& function, std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "program");
  std::ostringstream out, err;
  const ExitStatus status =
      run_program(kStage, FakeProblem(function), static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {status, out.str(), err.str()};
}

Outcome is_right(const Settings&, const Call&, GpuTimer& timer) {
  touch(timer);
  return right();
}
Outcome is_right_but_for_large(const Settings& settings, const Call& call, GpuTimer& timer) {
  touch(timer);
  return settings.sizes[0] == 3 && call.block.x == 64 ? wrong("planted") : right();
}

TEST(RunProgram, StatusTextAndJsonAgree) {
  const Ended yes = run(is_right, {});
  EXPECT_EQ(yes.status, ExitStatus::matches);
  EXPECT_EQ(yes.out.rfind("Stage 3 fake matches reference ✅\n\nDevice: ", 0), 0u) << yes.out;
  EXPECT_EQ(yes.err, "");
  const Ended no = run(is_right_but_for_large, {"--size", "3x5", "--json"});
  EXPECT_EQ(no.status, ExitStatus::does_not_match);
  EXPECT_EQ(json::parse(no.out)["error"], "planted");
  EXPECT_EQ(json::parse(no.out)["size"], "3x5");
  EXPECT_EQ(no.err, "");
}

TEST(RunProgram, AChangedElementComesAfterTheSameInputWithoutIt) {
  std::vector<std::optional<std::uint64_t>> called;
  const auto function = [&called](const Settings& settings, const Call&, GpuTimer& timer) {
    touch(timer);
    called.push_back(settings.changed);
    return settings.changed == 7 ? wrong("planted") : right();
  };
  EXPECT_EQ(run(function, {"--repeat", "1", "--changed", "5"}).status, ExitStatus::matches);
  EXPECT_EQ(called.front(), std::nullopt);
  EXPECT_EQ(called.back(), 5u);
  EXPECT_EQ(run(function, {"--changed", "7"}).status, ExitStatus::does_not_match);
  EXPECT_EQ(run(function, {"--changed", "7", "--cases", "quick"}).status, ExitStatus::wrong_usage);
}

TEST(ChangedElement, IsOneAndStaysOfItsKind) {
  const std::vector<int> sorted{1, 1, 2, 5, 5, 5, 9};
  EXPECT_EQ(with_change(sorted, {}), sorted);
  for (std::uint64_t drawn = 0; drawn < 2 * sorted.size(); ++drawn) {
    const std::vector<int> changed = with_change(sorted, drawn);
    EXPECT_TRUE(std::is_sorted(changed.begin(), changed.end()));
    int differ = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) differ += sorted[i] != changed[i] ? 1 : 0;
    EXPECT_EQ(differ, 1);
  }
  EXPECT_EQ(with_change(std::vector<int>{3, 3}, 1), (std::vector<int>{3, 3}));
  EXPECT_TRUE(with_change(std::vector<int>{}, 1).empty());
}

TEST(RunProgram, JsonInAFileComesWithTheText) {
  const std::string file = testing::TempDir() + "run.json";
  const Ended ended = run(is_right, {"--json", file.c_str()});
  EXPECT_EQ(ended.status, ExitStatus::matches);
  EXPECT_EQ(ended.out.rfind("Stage 3 fake matches reference ✅", 0), 0u);
  std::ifstream stream(file);
  EXPECT_EQ(json::parse(stream)["matches"], true);
  std::remove(file.c_str());
}

TEST(RunProgram, ManyCasesEndAtTheFirstThatFails) {
  const Ended yes = run(is_right, {"--cases", "quick,hostile"});
  EXPECT_EQ(yes.status, ExitStatus::matches);
  EXPECT_EQ(yes.out, "Stage 3 fake matches reference ✅ in 7 cases\n");
  const Ended no = run(is_right_but_for_large, {"--cases", "hostile,quick", "--seed", "5", "--json"});
  EXPECT_EQ(no.status, ExitStatus::does_not_match);
  const json report = json::parse(no.out);
  EXPECT_EQ(report["cases"], 6);
  EXPECT_EQ(report["failed"]["options"], "--size 3x4 --seed 5 --block-size 64 --colour green --weight 0.5");
  EXPECT_EQ(report["error"], "planted");
}

TEST(RunProgram, NoCasesAreNoSuccess) {
  const Ended ended = run(is_right, {"--cases", "quick,full", "--colour", "red"});
  EXPECT_EQ(ended.status, ExitStatus::device_error);
  EXPECT_NE(ended.err.find("fake has no cases that are full"), std::string::npos) << ended.err;
  EXPECT_EQ(ended.out, "");
}

TEST(RunProgram, AnErrorAmongManyCasesSaysInWhich) {
  const auto throws = [](const Settings& settings, const Call& call, GpuTimer& timer) -> Outcome {
    if (settings.sizes[0] == 3) throw std::runtime_error("planted");
    return is_right(settings, call, timer);
  };
  const Ended one = run(throws, {"--size", "3x4", "--json"});
  EXPECT_EQ(one.status, ExitStatus::device_error);
  EXPECT_EQ(one.err, "error: planted\n");
  EXPECT_FALSE(json::parse(one.out).contains("failed"));
  const Ended many = run(throws, {"--cases", "quick", "--json"});
  EXPECT_EQ(many.status, ExitStatus::device_error);
  const std::string options = "--size 3x4 --seed 12345 --block-size 32 --colour green --weight 0.5";
  EXPECT_EQ(many.err, "error: planted\nIn: stages/stage03/todo.cu, with " + options + "\n");
  EXPECT_EQ(json::parse(many.out)["failed"]["options"], options);
}

TEST(RunProgram, AnUnsolvedStageIsOneLineWhateverWasAsked) {
  const auto unsolved = [](const Settings&, const Call&, GpuTimer&) -> Outcome { WORKBOOK_TODO("the kernel"); };
  for (const std::vector<const char*>& arguments : {std::vector<const char*>{}, {"--cases", "quick"}}) {
    const Ended ended = run(unsolved, arguments);
    EXPECT_EQ(ended.status, ExitStatus::unsolved);
    EXPECT_EQ(ended.err.rfind("Stage 3 is not solved yet: ", 0), 0u) << ended.err;
    EXPECT_EQ(ended.err.find('\n'), ended.err.size() - 1);
  }
}

TEST(RunProgram, AMisusedTimerDoesNotMatchAndHasNoError) {
  const Ended ended = run([](const Settings&, const Call&, GpuTimer&) { return right(); }, {});
  EXPECT_EQ(ended.status, ExitStatus::does_not_match);
  EXPECT_NE(ended.out.find("What is wrong: no kernel was timed"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("elements match"), std::string::npos) << ended.out;
  EXPECT_EQ(ended.out.find("Relative error"), std::string::npos) << ended.out;
}

TEST(RunProgram, PoisonIsThatOfTheOption) {
  int poison = 0;
  const auto looks = [&poison](const Settings& settings, const Call& call, GpuTimer& timer) {
    if (poison == 0) poison = call.poison;
    return is_right(settings, call, timer);
  };
  run(looks, {"--poison", "0xA5"});
  EXPECT_EQ(poison, 0xA5);
  poison = 0;
  run(looks, {"--poison", "17", "--cases", "quick"});
  EXPECT_EQ(poison, 17);
}

// A loop on the host, after a call that came back.
Outcome never_ends(const Settings&, const Call&, GpuTimer&) {
  CUDA_CHECK(cudaGetLastError());
  for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

TEST(TimeLimitDeathTest, EndsALoopOnTheHostAndNamesTheLastCall) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";  // a child of its own: a device does not survive a fork
  // One file for this process and its child, and another one for the same test in another order, at the same time.
  setenv("WORKBOOK_TEST_PROCESS", std::to_string(getpid()).c_str(), /*overwrite=*/0);
  const std::string file = testing::TempDir() + "never-" + getenv("WORKBOOK_TEST_PROCESS") + ".json";
  const char* const arguments[] = {"program", "--time-limit", "3", "--json", file.c_str()};  // a GPU takes 1 s to begin
  EXPECT_EXIT(run_program(kStage, FakeProblem(never_ends), 5, arguments, std::cout, std::cerr),
              testing::ExitedWithCode(3),
              "^error: stopped after 3 seconds .* the machine may only be busy, or something waits "
              ".*program_run_test.cpp:[0-9]+: cudaGetLastError\\(\\)\n$");
  std::ifstream stream(file);
  EXPECT_EQ(json::parse(stream)["error_kind"], "device-error");
  std::remove(file.c_str());
}

TEST(TimeLimit, SaysWhetherTheCasesBeforeHaveEnded) {
  CasesProgress progress;
  const std::string question = "Is there a loop that never ends, on the host or in a kernel, or only much to do? ";
  const std::string first = stopped_sentence(60, 59, progress);
  EXPECT_EQ(first.rfind("stopped after 60 seconds (--time-limit). " + question, 0), 0u) << first;
  progress.count = 88;
  progress.ended = 44;
  progress.last_end = CasesProgress::Clock::now().time_since_epoch().count();
  const std::string slow = stopped_sentence(60, 59, progress);
  EXPECT_EQ(slow.rfind("stopped after 60 seconds (--time-limit), in case 45 of 88. This case has run for ", 0), 0u)
      << slow;
  EXPECT_NE(slow.find("there is much to do, and hardly a loop that never ends"), std::string::npos) << slow;
  progress.last_end = (CasesProgress::Clock::now() - std::chrono::seconds(50)).time_since_epoch().count();
  const std::string last = stopped_sentence(60, 59, progress);
  EXPECT_EQ(last.rfind("stopped after 60 seconds (--time-limit), in case 45 of 88. " + question, 0), 0u) << last;
}

TEST(TimeLimit, DoesNotMatterToWhoIsInTime) {
  EXPECT_EQ(run(is_right, {"--time-limit", "100"}).status, ExitStatus::matches);
}

}  // namespace
}  // namespace workbook
