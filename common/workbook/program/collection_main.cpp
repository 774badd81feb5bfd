// SPDX-License-Identifier: MIT
// The main of a collection. It takes `--kernel NAME` off the command line, and is then a stage's program.
#include <cstring>
#include <iostream>

#include "workbook/case/collection.h"
#include "workbook/program/program.h"

int main(int argc, char** argv) {
  using workbook::ExitStatus;
  const char* const wanted = argc > 2 && std::strcmp(argv[1], "--kernel") == 0 ? argv[2] : "";
  for (const workbook::CollectedKernel& kernel : workbook::collected_kernels()) {
    if (std::strcmp(kernel.name, wanted) != 0) continue;
    workbook::Stage stage = workbook::this_stage();
    stage.source = kernel.source;
    argv[2] = argv[0];
    return static_cast<int>(workbook::run_program(stage, kernel.problem(), argc - 2, argv + 2, std::cout, std::cerr));
  }
  std::cerr << "error: begin with --kernel and one of";
  for (const workbook::CollectedKernel& kernel : workbook::collected_kernels()) std::cerr << " " << kernel.name;
  std::cerr << "\n";
  return static_cast<int>(ExitStatus::wrong_usage);
}
