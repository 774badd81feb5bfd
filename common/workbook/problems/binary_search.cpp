// SPDX-License-Identifier: MIT
// The problem of stages that define search_on_device().
#include "workbook/binary_search.h"

#include "workbook/binary_search_problem.h"

const workbook::Problem& this_problem() {
  static const workbook::SearchProblem problem{
      {[](const workbook::Search& search, std::uint32_t* /*workspace*/, unsigned block_size, cudaStream_t stream) {
        search_on_device(search, block_size, stream);
      }}};
  return problem;
}
