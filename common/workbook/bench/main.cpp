// SPDX-License-Identifier: MIT
// The main of every benchmark program. this_stage() comes from its CMake line, this_problem() and make_benchmark() from
// the files of its problem, which call what the stage's .cu file defines.
#include <iostream>

#include "workbook/bench/program.h"

int main(int argc, char** argv) {
  return static_cast<int>(workbook::run_bench_program(workbook::this_stage(), workbook::this_problem(),
                                                      workbook::make_benchmark, argc, argv, std::cout, std::cerr));
}
