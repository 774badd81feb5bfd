// SPDX-License-Identifier: MIT
// The main of every stage's program. The CMake line of a stage gives this_stage(). The file of its problem gives
// this_problem(), which calls the functions in the stage's .cu file.
#include <iostream>

#include "workbook/program/program.h"

int main(int argc, char** argv) {
  if (const std::string why = workbook::too_old_for(workbook::this_stage().compute_capability); !why.empty()) {
    std::cerr << "skipped: " << why << "\n";
    return static_cast<int>(workbook::ExitStatus::unsolved);
  }
  if (const std::string changed = workbook::changed_since_built(workbook::this_stage()); !changed.empty()) {
    std::cerr << "warning: " << changed << "\n";
  }
  return static_cast<int>(
      workbook::run_program(workbook::this_stage(), this_problem(), argc, argv, std::cout, std::cerr));
}
