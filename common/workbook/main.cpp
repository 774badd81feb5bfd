// SPDX-License-Identifier: MIT
// The main of every stage's program. reduce() comes from the stage's .cu file, this_stage() from its CMake line.
#include <iostream>

#include "workbook/program.h"
#include "workbook/reduction.h"

int main(int argc, char** argv) {
  return static_cast<int>(workbook::run_program(workbook::this_stage(), &reduce, argc, argv, std::cout, std::cerr));
}
