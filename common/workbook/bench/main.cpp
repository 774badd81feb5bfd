// SPDX-License-Identifier: MIT
// The main of every benchmark program. The CMake line of a stage gives this_stage(). The files of its problem give
// this_problem() and make_benchmark(), which call the functions in the stage's .cu file.
#include <iostream>

#include "workbook/bench/program.h"

int main(int argc, char** argv) {
  if (const std::string why = workbook::too_old_for(workbook::this_stage().compute_capability); !why.empty()) {
    std::cerr << "skipped: " << why << "\n";
    return static_cast<int>(workbook::ExitStatus::unsolved);
  }
  if (const std::string changed = workbook::changed_since_built(workbook::this_stage()); !changed.empty()) {
    std::cerr << "warning: " << changed << "\n";
  }
  return static_cast<int>(workbook::run_bench_program(workbook::this_stage(), this_problem(), workbook::make_benchmark,
                                                      argc, argv, std::cout, std::cerr));
}
