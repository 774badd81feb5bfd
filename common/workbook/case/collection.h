// SPDX-License-Identifier: MIT
// A collection: several kernels of one stage in one program, chosen by name (`wrong-stage01 --kernel NAME ...`).
// scripts/cmake/Collection.cmake generates the file that lists them.
#pragma once

#include <vector>

#include "workbook/case/problem.h"

namespace workbook {

/// One kernel of a collection.
struct CollectedKernel {
  const char* name;    ///< The file's name without .cu.
  const char* source;  ///< Example: "answers/stage01/wrong/tail_dropped.cu".
  const Problem& (*problem)();
};

/// All kernels of this program.
const std::vector<CollectedKernel>& collected_kernels();

}  // namespace workbook
