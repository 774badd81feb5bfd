// SPDX-License-Identifier: MIT
// Several kernels of one stage in one program, chosen by name: `wrong-stage01 --kernel NAME ...`. The file that lists
// them is made by scripts/cmake/Collection.cmake.
#pragma once

#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

struct CollectedKernel {
  const char* name;    ///< the file's, without .cu
  const char* source;  ///< "answers/stage01/wrong/tail_dropped.cu"
  const Problem& (*problem)();
};

/// All kernels of this program.
const std::vector<CollectedKernel>& collected_kernels();

}  // namespace workbook
