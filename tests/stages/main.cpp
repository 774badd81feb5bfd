// SPDX-License-Identifier: MIT
// The main of every stage's tests, and the run that they share.
#include <gtest/gtest.h>

#include <iostream>

#include "stage_test.h"
#include "workbook/program.h"
#include "workbook/todo.h"

namespace workbook {
namespace {

bool unsolved = false;

// How to see the same on the command line.
std::string replay(const Settings& settings) {
  return std::string(this_stage().source) + " with " + command_line(settings);
}

std::string figures(const RunResult& result) {
  std::string text;
  for (const Value& value : result.values) {
    text += "; " + value.name + ": got " + testing::PrintToString(value.got) + ", expected " +
            testing::PrintToString(value.reference);
  }
  return text;
}

}  // namespace

bool matches(Case& one_case, Settings settings, const unsigned* block_sizes, std::size_t count) {
  static const Device device = current_device();
  for (std::size_t i = 0; i < count; ++i) {
    settings.block_size = block_sizes[i];
    try {
      const RunResult result = run_case(one_case, settings, device, 1);
      EXPECT_TRUE(result.verdict.matches) << replay(settings) << ": " << result.verdict.reason << figures(result);
      continue;
    } catch (const Unsolved& message) {
      if (!unsolved) std::cout << "not solved yet: " << message.what() << "\n";
      unsolved = true;
    } catch (const std::exception& error) {
      ADD_FAILURE() << replay(settings) << ": " << error.what();
    }
    return false;
  }
  return true;
}

bool matches(const Problem& problem, const Settings& settings) {
  return matches(*problem.make_case(settings), settings, &settings.block_size, 1);
}

}  // namespace workbook

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const std::string why = workbook::too_old_for(workbook::this_stage().compute_capability); !why.empty()) {
    std::cout << "skipped: " << why << "\n";
    return static_cast<int>(workbook::ExitStatus::unsolved);
  }
  // Ask first, with one element: there is no point in making the large inputs for a stage that is not begun.
  try {
    const workbook::Problem& problem = workbook::this_problem();
    workbook::Settings settings = problem.defaults();
    settings.size = 1;
    workbook::GpuTimer timer;
    problem.make_case(settings)->call(settings.block_size, timer);
  } catch (const workbook::Unsolved& unsolved) {
    std::cout << "not solved yet: " << unsolved.what() << "\n";
    return static_cast<int>(workbook::ExitStatus::unsolved);
  } catch (const std::exception&) {
    // The tests below meet it again, and say with what input.
  }
  const int status = RUN_ALL_TESTS();
  // A filter that names nothing must not pass for a success.
  if (status == 0 && testing::UnitTest::GetInstance()->test_to_run_count() == 0) return 2;
  return status == 0 && workbook::unsolved ? static_cast<int>(workbook::ExitStatus::unsolved) : status;
}
