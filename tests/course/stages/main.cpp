// SPDX-License-Identifier: MIT
// The main of the tests that are special to a stage. They are skipped (77) on a device that is too old, and for a stage
// that is not solved yet.
#include <gtest/gtest.h>

#include <iostream>

#include "workbook/program/program.h"
#include "workbook/student/gpu_timer.h"
#include "workbook/student/todo.h"

namespace {

// Why there is nothing to test, or "".
std::string skipped() {
  const workbook::Stage& stage = workbook::this_stage();
  if (std::string why = workbook::too_old_for(stage.compute_capability); !why.empty()) return "skipped: " + why;
  try {
    workbook::Settings settings = workbook::default_settings(stage, this_problem());
    for (std::size_t& size : settings.sizes) size = 1;
    workbook::GpuTimer timer;
    this_problem().make_case(settings)->call({settings.block}, timer);
  } catch (const workbook::Unsolved& unsolved) {
    return std::string("not solved yet: ") + unsolved.what();
  } catch (const std::exception&) {
    // The tests meet it again.
  }
  return "";
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (const std::string why = skipped(); !why.empty()) {
    std::cout << why << "\n";
    return static_cast<int>(workbook::ExitStatus::unsolved);
  }
  const int status = RUN_ALL_TESTS();
  // A filter that names nothing must not pass for a success.
  return status == 0 && testing::UnitTest::GetInstance()->test_to_run_count() == 0 ? 2 : status;
}
